package io.ndc.kafka;

import io.ndc.NativeLibraryException;
import io.ndc.NativeMemoryException;
import io.ndc.StoreIoException;
import org.apache.kafka.common.KafkaException;

/** Tells what is wrong with a record, which is skipped, from what is wrong with the machine, which must not lose it. */
final class Refusal {
  private Refusal() {}

  /**
   * Why a record is refused. An exception that nobody foresaw counts as the record's: it would come again with it on
   * the next machine, and stop one after the other.
   *
   * @throws RuntimeException the failure, if it is not the record's
   */
  static String of(RuntimeException failure) {
    boolean isOfTheMachine = failure instanceof KafkaException || failure instanceof NativeMemoryException
        || failure instanceof NativeLibraryException || failure instanceof StoreIoException;
    if (isOfTheMachine) throw failure;
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
