package io.ndc.spark;

import io.ndc.CorruptException;
import io.ndc.InvalidArgumentException;
import io.ndc.LimitException;
import io.ndc.NearDuplicatesException;
import io.ndc.UnsupportedVersionException;

/** Which failures of the library are the page's fault. All others are the machine's, and another one may succeed. */
final class Refusal {
  private Refusal() {}

  /**
   * Throws what is not the page's fault: of a task, Spark tries it again.
   *
   * @return the message of what is
   */
  static String reason(NearDuplicatesException failure) {
    boolean ofThePage = failure instanceof CorruptException || failure instanceof InvalidArgumentException
        || failure instanceof LimitException || failure instanceof UnsupportedVersionException;
    if (!ofThePage) throw failure;
    return failure.getMessage();
  }
}
