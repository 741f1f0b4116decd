package io.ndc.spark.archive;

import java.io.Serializable;

/** Which pages are taken, and how much of them. Immutable. */
public final class ReadRules implements Serializable {
  /** The largest limit of a page: 1 GiB, as on the command line. */
  public static final long LARGEST_PAGE_BYTES = 1L << 30;

  private static final long serialVersionUID = 1;

  private final int pageBytes;
  private final boolean allStatuses;

  /**
   * Rules for a reader.
   *
   * @param pageBytes longer bodies are cut to so many bytes and are truncated pages, as are records whose
   *     block is longer; 1 to {@link #LARGEST_PAGE_BYTES}
   * @param allStatuses whether HTTP responses other than 2xx are pages
   * @throws IllegalArgumentException if {@code pageBytes} is out of range
   */
  public ReadRules(long pageBytes, boolean allStatuses) {
    if (pageBytes < 1 || pageBytes > LARGEST_PAGE_BYTES) {
      throw new IllegalArgumentException("pages of at most " + pageBytes + " bytes: not 1 to "
          + LARGEST_PAGE_BYTES);
    }
    this.pageBytes = (int) pageBytes;
    this.allStatuses = allStatuses;
  }

  int pageBytes() {
    return pageBytes;
  }

  boolean allStatuses() {
    return allStatuses;
  }
}
