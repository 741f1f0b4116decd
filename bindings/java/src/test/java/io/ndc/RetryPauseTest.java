package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller that asks all the time makes few attempts, but never stops attempting. */
class RetryPauseTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void thePausesGrowToAMinute() {
    RetryPause pause = new RetryPause();
    // The clock may start anywhere, and run over.
    long now = Long.MAX_VALUE - 5 * SECOND;
    assertTrue(pause.isOver(now));
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 9; ++i) {
      pause.failed(now);
      assertFalse(pause.isOver(now));
      long failed = now;
      while (!pause.isOver(now)) {
        now += SECOND / 4;
      }
      pauses.add((now - failed) / SECOND);
    }
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L), pauses);
  }
}
