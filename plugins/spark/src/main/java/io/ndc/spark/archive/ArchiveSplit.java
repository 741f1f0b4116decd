package io.ndc.spark.archive;

import java.io.Serializable;

/** A stretch of a WARC file, to be read by one task. Immutable. */
public final class ArchiveSplit implements Serializable {
  private static final long serialVersionUID = 1;

  private final String path;
  private final long begin;
  private final long end;

  /**
   * A stretch at whose ends records begin.
   *
   * @param path of the file, as Hadoop understands it; not null
   * @param begin its first byte, at least 0
   * @param end the byte behind its last, larger than {@code begin}; {@link Long#MAX_VALUE}: to the end of the
   *     file
   * @throws IllegalArgumentException if begin and end are not a range
   */
  public ArchiveSplit(String path, long begin, long end) {
    if (begin < 0 || end <= begin) {
      throw new IllegalArgumentException(path + ": no stretch of a file: [" + begin + ", " + end + ")");
    }
    this.path = path;
    this.begin = begin;
    this.end = end;
  }

  /** The file. */
  public String path() {
    return path;
  }

  /** The first byte. */
  public long begin() {
    return begin;
  }

  /** The byte behind the last; {@link Long#MAX_VALUE}: to the end of the file. */
  public long end() {
    return end;
  }

  @Override
  public String toString() {
    return path + " [" + begin + ", " + (end == Long.MAX_VALUE ? "end" : end) + ")";
  }
}
