package io.ndc.spark;

import io.ndc.spark.archive.FileSystems;
import java.io.IOException;
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
}
