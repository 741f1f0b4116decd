package io.ndc.spark.archive;

/**
 * A record in which no page can be read, or coded data of which nothing can be; the message is half a
 * sentence.
 */
final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableException(String reason) {
    // Hostile archives have millions of them, and where they were thrown is in the reason.
    super(reason, null, false, false);
  }
}
