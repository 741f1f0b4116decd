package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The order of pages, by which the job is the same however its partitions run. */
class PlaceTest {
  private static final byte[] SMALL_KEY = new byte[16];
  private static final byte[] LARGE_KEY = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

  @Test
  void mostFingerprintsStandFirst() {
    assertTrue(Place.of(LARGE_KEY, 112, Place.NEW) < Place.of(SMALL_KEY, 111, Place.NEW));
    assertTrue(Place.of(LARGE_KEY, 1, Place.NEW) < Place.of(SMALL_KEY, 0, Place.NEW));
  }

  @Test
  void thePageKeyDecidesAmongEquals() {
    assertTrue(Place.of(SMALL_KEY, 7, Place.NEW) < Place.of(LARGE_KEY, 7, Place.NEW));
    assertEquals(Place.of(SMALL_KEY, 7, Place.NEW), Place.of(SMALL_KEY.clone(), 7, Place.NEW));
  }

  @Test
  void moreFingerprintsThanAPlaceCanTellAreTheSame() {
    assertEquals(Place.of(SMALL_KEY, 127, Place.NEW), Place.of(SMALL_KEY, 1024, Place.NEW));
    assertNotEquals(Place.of(SMALL_KEY, 126, Place.NEW), Place.of(SMALL_KEY, 127, Place.NEW));
  }

  @Test
  void representativesOfEarlierRunsStandBeforeAllAndThoseThatHaveNotChangedFirst() {
    long settled = Place.of(LARGE_KEY, 0, Place.SETTLED);
    long revised = Place.of(SMALL_KEY, 127, Place.REVISED);
    assertTrue(settled < revised);
    assertTrue(Place.of(LARGE_KEY, 0, Place.REVISED) < Place.of(SMALL_KEY, 127, Place.NEW));
    assertTrue(Place.isSettled(settled));
    assertFalse(Place.isSettled(revised));
    assertFalse(Place.isSettled(Place.of(SMALL_KEY, 127, Place.NEW)));
  }

  @Test
  void noPlaceIsNone() {
    byte[] key = LARGE_KEY.clone();
    assertNotEquals(Place.NONE, Place.of(key, 0, Place.SETTLED));
    assertNotEquals(Place.NONE, Place.of(key, 0, Place.NEW));
  }
}
