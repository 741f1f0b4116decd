package io.ndc;

/**
 * When something that failed is worth another attempt: a second after the first failure, and twice as long after each
 * further one, at most a minute. Times are of {@link System#nanoTime}. Not for several threads.
 */
final class RetryPause {
  private static final long FIRST = 1_000_000_000L;
  private static final long LONGEST = 60 * FIRST;

  private long pause;
  private long failedAt;

  /** True before the first failure. */
  boolean isOver(long now) {
    return pause == 0 || now - failedAt >= pause;
  }

  void failed(long now) {
    failedAt = now;
    pause = pause == 0 ? FIRST : Math.min(2 * pause, LONGEST);
  }
}
