package io.ndc.spark;

import io.ndc.NearDuplicates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Everything on which the result of a run depends, by name: a run may reuse the stages of one that agrees in all. */
final class RunIdentity {
  private RunIdentity() {}

  /**
   * Of a run.
   *
   * @param archives as they were listed, by path; no file is looked at again
   */
  static Map<String, String> of(
      JobOptions options, SortedMap<String, FileStatus> archives, Configuration configuration) throws IOException {
    Map<String, String> identity = new TreeMap<>(options.deciding());
    identity.put("input", String.join(" ", options.inputs));
    identity.put("input files", digest(archives));
    if (!options.previous.isEmpty()) {
      for (String part : List.of(EarlierRun.MODELS, EarlierRun.MERGED, EarlierRun.REPRESENTATIVES))
        identity.put("previous " + part, digest(files(new Path(options.previous), part, configuration)));
    }
    identity.put("version", NearDuplicates.version());
    return identity;
  }

  /** None where the earlier run wrote no such part. */
  private static SortedMap<String, FileStatus> files(Path previous, String part, Configuration configuration)
      throws IOException {
    SortedMap<String, FileStatus> found = new TreeMap<>();
    FileSystem files = OutputFolder.files(previous, configuration);
    Path folder = new Path(previous, part);
    if (!files.exists(folder)) return found;
    for (FileStatus file : files.listStatus(folder))
      found.put(file.getPath().getName(), file);
    return found;
  }

  /** How many there are, and a digest of their names, sizes and times: a file that was replaced is another one. */
  private static String digest(SortedMap<String, FileStatus> files) {
    MessageDigest digest = PageKey.md5();
    files.forEach((name, status) -> digest.update(
        (name + "\n" + status.getLen() + "\n" + status.getModificationTime() + "\n").getBytes(StandardCharsets.UTF_8)));
    return files.size() + " files, " + PageKey.text(digest.digest());
  }
}
