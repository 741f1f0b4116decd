package io.ndc.spark;

import io.ndc.NearDuplicates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** What the result of a run depends on, by name: a run that agrees in all of it goes on with the stages of another one. */
final class RunIdentity {
  private RunIdentity() {}

  /**
   * Of a run.
   *
   * @param archives as they were listed, by path; no file is looked at again
   * @throws IOException if the earlier output cannot be listed
   */
  static Map<String, String> of(
      JobOptions options, SortedMap<String, FileStatus> archives, Configuration configuration) throws IOException {
    Map<String, String> identity = new TreeMap<>(options.deciding());
    identity.put("input", String.join(" ", options.inputs()));
    identity.put("input files", digest(archives));
    if (!options.previous().isEmpty())
      identity.put("previous representatives", digest(representatives(new Path(options.previous()), configuration)));
    identity.put("version", NearDuplicates.version());
    return identity;
  }

  private static SortedMap<String, FileStatus> representatives(Path previous, Configuration configuration)
      throws IOException {
    SortedMap<String, FileStatus> files = new TreeMap<>();
    Path folder = new Path(previous, "representatives");
    for (FileStatus file : OutputFolder.files(previous, configuration).listStatus(folder))
      files.put(file.getPath().getName(), file);
    return files;
  }

  /** How many there are, and a digest of their names, sizes and times: a file that was replaced is another one. */
  private static String digest(SortedMap<String, FileStatus> files) {
    MessageDigest digest = PageKey.md5();
    files.forEach((name, status) -> digest.update(
        (name + "\n" + status.getLen() + "\n" + status.getModificationTime() + "\n").getBytes(StandardCharsets.UTF_8)));
    return files.size() + " files, " + PageKey.text(digest.digest());
  }
}
