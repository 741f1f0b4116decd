package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final byte[] SMALL_KEY = new byte[16];
  private static final byte[] LARGE_KEY = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

  @Test
  void mostFingerprintsStandFirst() {
    assertTrue(Place.of(LARGE_KEY, 112, true) < Place.of(SMALL_KEY, 111, true));
    assertTrue(Place.of(LARGE_KEY, 1, true) < Place.of(SMALL_KEY, 0, true));
  }

  @Test
  void thePageKeyDecidesAmongEquals() {
    assertTrue(Place.of(SMALL_KEY, 7, true) < Place.of(LARGE_KEY, 7, true));
    assertEquals(Place.of(SMALL_KEY, 7, true), Place.of(SMALL_KEY.clone(), 7, true));
  }

  @Test
  void moreFingerprintsThanAPlaceCanTellAreTheSame() {
    assertEquals(Place.of(SMALL_KEY, 127, true), Place.of(SMALL_KEY, 1024, true));
    assertNotEquals(Place.of(SMALL_KEY, 126, true), Place.of(SMALL_KEY, 127, true));
  }

  @Test
  void representativesOfEarlierRunsStandBeforeAll() {
    long earlier = Place.of(LARGE_KEY, 0, false);
    long largest = Place.of(SMALL_KEY, 127, true);
    assertTrue(earlier < largest);
    assertEquals(earlier, Place.of(LARGE_KEY, 0, true) & ~Place.NEW);
  }

  @Test
  void noPlaceIsNegative() {
    assertTrue(Place.of(SMALL_KEY, 127, false) >= 0);
    assertTrue(Place.of(LARGE_KEY, 0, true) > 0);
    assertTrue(Place.NONE < 0);
  }
}
