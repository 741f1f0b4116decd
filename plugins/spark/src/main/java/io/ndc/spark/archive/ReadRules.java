package io.ndc.spark.archive;

import java.io.Serializable;

/**
 * Which pages are taken, and how much of them.
 *
 * @param pageBytes longer bodies are cut to so many bytes and are truncated pages, as are records whose block is
 *     longer; 1 to {@link #LARGEST_PAGE_BYTES}
 * @param allStatuses whether HTTP responses other than 2xx are pages
 */
public record ReadRules(long pageBytes, boolean allStatuses) implements Serializable {
  /** The largest limit of a page: 1 GiB, as on the command line. */
  public static final long LARGEST_PAGE_BYTES = 1L << 30;

  /** @throws IllegalArgumentException if {@code pageBytes} is out of range */
  public ReadRules {
    if (pageBytes < 1 || pageBytes > LARGEST_PAGE_BYTES)
      throw new IllegalArgumentException("pages of at most " + pageBytes + " bytes: not 1 to " + LARGEST_PAGE_BYTES);
  }
}
