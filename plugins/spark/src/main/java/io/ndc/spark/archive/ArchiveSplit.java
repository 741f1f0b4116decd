package io.ndc.spark.archive;

import java.io.Serializable;

/** A stretch of an archive, or one file of a WACZ, to be read by one task. Immutable. */
public final class ArchiveSplit implements Serializable {
  private static final long serialVersionUID = 1;

  /** Of an archive that is no WACZ, or of which one task reads all. */
  public static final int ALL_FILES = -1;

  private final String path;
  private final long begin;
  private final long end;
  private final int file;

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
    this.file = ALL_FILES;
  }

  /**
   * One file of a WACZ.
   *
   * @param path of the WACZ; not null
   * @param file its place among the files of the WACZ, at least 0
   */
  public ArchiveSplit(String path, int file) {
    this.path = path;
    this.begin = 0;
    this.end = Long.MAX_VALUE;
    this.file = file;
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

  /** The place of the file in a WACZ that is read; {@link #ALL_FILES}: there is but one, or all are. */
  public int file() {
    return file;
  }

  @Override
  public String toString() {
    if (file != ALL_FILES) return path + " file " + file;
    return path + " [" + begin + ", " + (end == Long.MAX_VALUE ? "end" : end) + ")";
  }
}
