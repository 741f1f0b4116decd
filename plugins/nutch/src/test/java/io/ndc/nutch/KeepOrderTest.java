package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ranks by which Nutch keeps a page of a group: their order, and that a rank tells its URL. */
class KeepOrderTest {
  private record Candidate(String url, float score, long fetchTime) {
    byte[] rank(String order) {
      return new KeepOrder(order).rank(url, score, fetchTime, false);
    }
  }

  private static Candidate page(String url, float score, long fetchTime) {
    return new Candidate(url, score, fetchTime);
  }

  private static void assertRanked(String order, Candidate... best) {
    for (int i = 0; i < best.length; i++) {
      for (int j = 0; j < best.length; j++) {
        assertEquals(Integer.compare(i, j), Integer.signum(Arrays.compareUnsigned(best[i].rank(order),
            best[j].rank(order))),
            best[i] + " / " + best[j]);
      }
    }
  }

  @Test
  void theDefaultOrder() {
    assertRanked("score,fetchTime,httpsOverHttp,urlLength", page("http://x.example/important", 2, 0),
        page("http://x.example/new", 1, Long.MAX_VALUE),
        page("http://x.example/older", 1, 7), page("https://x.example/long", 1, 1), page("http://x.example/%41", 1, 1),
        page("http://x.example/a", 1, 1),
        page("http://x.example/b", 1, 1), page("http://x.example/aa", 1, 1), page("http://x.example/old", 1, -5),
        page("http://x.example/a", 0, 9),
        page("http://x.example/a", -1, 9), page("http://x.example/a", Float.NEGATIVE_INFINITY, 9));
  }

  @Test
  void anotherOrder() {
    assertRanked("urlLength,score,fetchTime", page("http://x.example/b", 0, 0), page("https://x.example/b", 2, 1),
        page("http://x.example/bb", 1, 2),
        page("http://x.example/aa", 0, 3), page("http://x.example/b%", 0, 2));
  }

  @Test
  void duplicatesComeLast() {
    KeepOrder order = new KeepOrder("score,fetchTime,urlLength");
    assertTrue(Arrays.compareUnsigned(order.rank("http://x.example/long", -1, 0, false),
        order.rank("http://x.example/", 9, 9, true)) < 0);
    assertEquals("http://x.example/", KeepOrder.url(order.rank("http://x.example/", 9, 9, true)));
  }

  @Test
  void everyFloatHasItsPlace() {
    assertRanked("score,fetchTime,urlLength", page("u", Float.NaN, 0), page("u", Float.POSITIVE_INFINITY, 0),
        page("u", Float.MAX_VALUE, 0),
        page("u", Float.MIN_VALUE, 0), page("u", 0, 0), page("u", -0.0f, 0), page("u", -Float.MIN_VALUE, 0));
  }

  @Test
  void aRankTellsItsUrl() {
    for (String url : List.of("http://x.example/", "", "http://x.example/\u4e2d\u6587?\u00e4", "x".repeat(10_000))) {
      assertEquals(url, KeepOrder.url(page(url, 1, 1).rank("score,fetchTime,httpsOverHttp,urlLength")));
      assertEquals(url, KeepOrder.url(page(url, 1, 1).rank("urlLength,score,fetchTime")));
    }
  }

  @Test
  void wrongOrdersAreRefused() {
    for (String order : List.of("", "score", "score,fetchTime", "score,fetchTime,urlLength,beauty",
        "Score,fetchTime,urlLength")) {
      String message = assertThrows(IllegalArgumentException.class, () -> new KeepOrder(order)).getMessage();
      assertTrue(message.startsWith("compareOrder"), message);
    }
  }
}
