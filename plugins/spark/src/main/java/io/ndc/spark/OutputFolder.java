package io.ndc.spark;

import io.ndc.spark.archive.FileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The folder that a run writes to, or an earlier one has written to. */
final class OutputFolder {
  private OutputFolder() {}

  /**
   * Its file system.
   *
   * @throws JobException naming the folder, if it cannot be reached
   */
  static FileSystem files(Path folder, Configuration configuration) {
    try {
      return FileSystems.of(folder, configuration);
    } catch (IOException | IllegalArgumentException unreachable) {
      throw new JobException(folder + ": " + unreachable.getMessage(), unreachable);
    }
  }

  /**
   * Makes sure that nothing is written or removed where the inputs are.
   *
   * @param archives qualified paths
   * @throws JobException naming an archive that lies in the folder
   */
  static void requireApart(Path folder, Collection<String> archives, Configuration configuration) throws IOException {
    FileSystem files = files(folder, configuration);
    if (!files.exists(folder)) return;
    Path qualified = files.makeQualified(folder);
    Set<Path> seen = new HashSet<>();
    for (String archive : archives) {
      for (Path at = new Path(archive).getParent(); at != null && seen.add(at); at = at.getParent())
        if (isSame(qualified, at)) throw new JobException(archive + " lies in the output folder " + folder);
    }
  }

  /** On a local disk one folder may have several names. */
  private static boolean isSame(Path one, Path other) throws IOException {
    boolean local = "file".equals(one.toUri().getScheme()) && "file".equals(other.toUri().getScheme());
    return local ? Files.isSameFile(Paths.get(one.toUri()), Paths.get(other.toUri())) : one.equals(other);
  }
}
