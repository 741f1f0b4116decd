package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A clock that goes on, is corrected, and is set back. */
class ClockWatchTest {
  private long wallMs = 1_800_000_000_000L;
  private long elapsedMs = 77;

  @Test
  void tellsASetBackClockFromOneThatIsCorrected() {
    ClockWatch watch = new ClockWatch(() -> wallMs, () -> elapsedMs * 1_000_000);
    pass(3_600_000, 0);
    assertEquals(0, watch.setBackMs());
    pass(1_000, -4_000);
    assertEquals(0, watch.setBackMs());
    pass(1_000, 86_400_000);
    assertEquals(0, watch.setBackMs());
    pass(1_000, -86_400_000);
    assertEquals(86_400_000, watch.setBackMs());
  }

  private void pass(long ms, long setMs) {
    elapsedMs += ms;
    wallMs += ms + setMs;
  }
}
