package io.ndc.crawler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which failures of a crawler's pages are logged: some, never one line a page. */
class FailuresTest {
  @Test
  void theFirstAndEveryThousandthAreLogged() {
    List<String> lines = new ArrayList<>();
    Failures failures = new Failures(lines::add, "the page has no verdict");
    for (int i = 0; i < 2001; i++) {
      failures.add(i == 0 ? null : "http://a.example/" + i, new IllegalStateException("broken"));
    }
    assertEquals(2001, failures.count());
    assertEquals(List.of(
        "null: java.lang.IllegalStateException: broken; the page has no verdict"
            + " (failure 1, the next 999 are not logged)",
        "http://a.example/1000: java.lang.IllegalStateException: broken; the page has no verdict"
            + " (failure 1001, the next 999 are not logged)",
        "http://a.example/2000: java.lang.IllegalStateException: broken; the page has no verdict"
            + " (failure 2001, the next 999 are not logged)"),
        lines);
  }

  @Test
  void anErrorOfTheJvmIsAFailureToo() {
    Failures failures = new Failures(line -> {}, "");
    failures.add("http://a.example/", new StackOverflowError());
    assertEquals(1, failures.count());
  }
}
