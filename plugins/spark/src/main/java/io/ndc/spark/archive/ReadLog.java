package io.ndc.spark.archive;

/**
 * Receives what a reader meets. Each record that can be read is reported by {@link #record} first, then by one of
 * {@link #page}, {@link #noPage}, {@link #otherStatus} and {@link #damaged}. Called by the thread that reads.
 * Texts have no control characters and at most {@value VisibleText#LIMIT} characters, paths excepted.
 */
public interface ReadLog {
  /** A record of any type was read. */
  void record();

  /**
   * It had a page.
   *
   * @param bodyBytes of the body, decoded and cut
   * @param truncated whether a part of the body is missing
   */
  void page(long bodyBytes, boolean truncated);

  /** It had none: a request, a revisit, a name lookup, a style sheet, an image, ... */
  void noPage();

  /** It had an HTTP response other than 2xx. */
  void otherStatus();

  /**
   * Something could not be read, or the page in a record could not be decoded; reading continues behind it.
   *
   * @param path of the file
   * @param offset of the damage in the file, in bytes; of its gzip member in a compressed file
   * @param reason half a sentence
   */
  void damaged(String path, long offset, String reason);

  /**
   * A file, or what is left of it, cannot be read at all.
   *
   * @param path of the file
   * @param reason half a sentence
   */
  void failedFile(String path, String reason);
}
