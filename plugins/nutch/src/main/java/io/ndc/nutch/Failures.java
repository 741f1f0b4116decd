package io.ndc.nutch;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Counts what failed and tells the log the first time and every 1000th time after that: the crawl goes on without a verdict. */
final class Failures {
  private static final int LOGGED_EVERY = 1000;

  private final Logger log;
  private final String consequence;
  private final AtomicLong count = new AtomicLong();

  /** @param consequence what happens instead, for the log */
  Failures(Logger log, String consequence) {
    this.log = log;
    this.consequence = consequence;
  }

  /** How many there were. */
  long count() {
    return count.get();
  }

  /**
   * Counts one.
   *
   * @throws VirtualMachineError {@code failure}, if it is one: after it nothing is certain
   */
  void add(String url, Throwable failure) {
    if (failure instanceof VirtualMachineError error) {
      throw error;
    }
    long number = count.incrementAndGet();
    if (number % LOGGED_EVERY == 1) {
      log.warn("{}: {}; {} (failure {}, the next {} are not logged)", url, failure, consequence, number, LOGGED_EVERY - 1);
    }
  }
}
