package io.ndc.spark.archive;

import io.ndc.ArchiveItem;

/** Receives what a reader of archives meets. Called by the thread that reads. */
public interface ReadLog {
  /** An offset that stands for all of a file, or for what is left of it. */
  long WHOLE_FILE = -1;

  /** A page, a record that has none, or damage; {@link #failed} tells more of that. */
  default void item(ArchiveItem item) {}

  /**
   * Something could not be read. Behind damage reading continues.
   *
   * @param path of the file
   * @param offset of the damage in the file, in bytes; of its member in a compressed file; or {@link #WHOLE_FILE}
   * @param reason half a sentence, without control characters, of at most {@value VisibleText#LIMIT} characters
   */
  void failed(String path, long offset, String reason);
}
