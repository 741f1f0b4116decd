package io.ndc.kafka;

import java.util.function.LongSupplier;

/**
 * Notices that the machine's clock was set back. Kafka's clients and Kafka Streams then do nothing that is due, not
 * even send heartbeats, until the clock is where it was; an instance that is started again does. Threads: one.
 */
final class ClockWatch {
  /** A smaller correction does no harm. */
  private static final long TOLERATED_MS = 5_000;

  private final LongSupplier wallMs;
  private final LongSupplier elapsedNs;
  private long aheadMs;

  /**
   * From now on.
   *
   * @param wallMs the clock
   * @param elapsedNs a clock that nobody sets
   */
  ClockWatch(LongSupplier wallMs, LongSupplier elapsedNs) {
    this.wallMs = wallMs;
    this.elapsedNs = elapsedNs;
    aheadMs = aheadMs();
  }

  private long aheadMs() {
    return wallMs.getAsLong() - elapsedNs.getAsLong() / 1_000_000;
  }

  /** By how much the clock was set back since the last call, if that does harm; else 0. */
  long setBackMs() {
    long before = aheadMs;
    aheadMs = aheadMs();
    return before - aheadMs > TOLERATED_MS ? before - aheadMs : 0;
  }
}
