package io.ndc.crawler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pages that got no verdict because something failed, and gives the first and every
 * {@value #LOGGED_EVERY}th after it to the log: the crawl continues.
 *
 * <p>Threads: any number may share one.
 */
public final class Failures {
  private static final int LOGGED_EVERY = 1000;

  private final Consumer<String> log;
  private final String consequence;
  private final AtomicLong count = new AtomicLong();

  /**
   * Starts at 0.
   *
   * @param log takes a line
   * @param consequence what happens instead, as the line has it
   */
  public Failures(Consumer<String> log, String consequence) {
    this.log = log;
    this.consequence = consequence;
  }

  /**
   * How many there were.
   *
   * @return 0 or more
   */
  public long count() {
    return count.get();
  }

  /**
   * Counts one.
   *
   * @param url of the page, null: not known
   * @param failure of any kind. Whether the process continues after an error of the JVM is the caller's to decide
   */
  public void add(@Nullable String url, Throwable failure) {
    long number = count.incrementAndGet();
    if (number % LOGGED_EVERY == 1) {
      log.accept(url + ": " + failure + "; " + consequence + " (failure " + number + ", the next " + (LOGGED_EVERY - 1)
          + " are not logged)");
    }
  }
}
