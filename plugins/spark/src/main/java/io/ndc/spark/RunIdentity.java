package io.ndc.spark;

import io.ndc.NearDuplicates;
import io.ndc.spark.archive.ArchiveSplit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
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
   * @param splits of all its archives, those of a file together
   * @throws IOException if a file cannot be looked at
   */
  static Map<String, String> of(JobOptions options, List<ArchiveSplit> splits, Configuration configuration)
      throws IOException {
    Map<String, String> identity = new TreeMap<>(options.deciding());
    identity.put("input", String.join(" ", options.inputs()));
    identity.put("input files", files(splits, configuration));
    identity.put("version", NearDuplicates.version());
    return identity;
  }

  /** How many there are, and a digest of their names, sizes and times: an archive that was replaced is another one. */
  private static String files(List<ArchiveSplit> splits, Configuration configuration) throws IOException {
    MessageDigest digest = PageKey.md5();
    String before = null;
    int files = 0;
    for (ArchiveSplit split : splits) {
      if (split.path().equals(before)) continue;
      before = split.path();
      files++;
      Path path = new Path(split.path());
      FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
      digest.update((path + "\n" + status.getLen() + "\n" + status.getModificationTime() + "\n")
          .getBytes(StandardCharsets.UTF_8));
    }
    return files + " files, " + PageKey.text(digest.digest());
  }
}
