package io.ndc.stormcrawler;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Counts what failed, and logs the first failure and every {@value #LOGGED_EVERY}th after it: the crawl goes on without
 * a verdict.
 */
final class Failures {
  private static final int LOGGED_EVERY = 1000;

  private final Logger log;
  private final AtomicLong count = new AtomicLong();

  Failures(Logger log) {
    this.log = log;
  }

  void add(String url, Throwable failure) {
    long number = count.incrementAndGet();
    if (number % LOGGED_EVERY == 1) {
      log.warn("{}: {}; the page goes on without a verdict (failure {}, the next {} are not logged)", url, failure,
          number, LOGGED_EVERY - 1);
    }
  }
}
