package io.ndc.kafka;

import io.ndc.CorruptException;
import io.ndc.InvalidArgumentException;
import io.ndc.LimitException;
import io.ndc.NearDuplicatesException;
import io.ndc.UnsupportedVersionException;

/** Tells what is wrong with a record, which is skipped, from what is wrong with the machine, which must not lose it. */
final class Refusal {
  private Refusal() {}

  /**
   * Why the library refuses a record.
   *
   * @throws NearDuplicatesException the failure, if it is not the record's
   */
  static String of(NearDuplicatesException failure) {
    boolean isOfTheRecord = failure instanceof CorruptException || failure instanceof UnsupportedVersionException
        || failure instanceof InvalidArgumentException || failure instanceof LimitException;
    if (!isOfTheRecord) throw failure;
    return failure.getMessage();
  }
}
