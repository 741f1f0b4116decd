package io.ndc.spark.archive;

import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A stretch of an archive, or one file of a WACZ, to be read by one task.
 *
 * @param path of the file, as Hadoop understands it
 * @param begin its first byte
 * @param end the byte behind its last; {@link Long#MAX_VALUE}: to the end of the file
 * @param file the place of the file among those of a WACZ; {@link #ALL_FILES}: there is but one, or all are read
 */
public record ArchiveSplit(String path, long begin, long end, int file) implements InputPartition {
  /** Of an archive that is no WACZ, or of which one task reads all. */
  public static final int ALL_FILES = -1;

  /** @throws IllegalArgumentException if begin and end are not a range */
  public ArchiveSplit {
    if (begin < 0 || end <= begin)
      throw new IllegalArgumentException(path + ": no stretch of a file: [" + begin + ", " + end + ")");
  }

  /** A stretch at whose ends records begin. */
  public ArchiveSplit(String path, long begin, long end) {
    this(path, begin, end, ALL_FILES);
  }

  @Override
  public String toString() {
    if (file != ALL_FILES) return path + " file " + file;
    return path + " [" + begin + ", " + (end == Long.MAX_VALUE ? "end" : end) + ")";
  }
}
