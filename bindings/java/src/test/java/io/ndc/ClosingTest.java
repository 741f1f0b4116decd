package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Closed, closed twice, closed while in use, forgotten. */
@Timeout(120)
class ClosingTest {
  private static final byte[] BODY = Texts.page(1);

  @TestFactory
  Stream<DynamicTest> everyCallAfterCloseIsRefused() {
    byte[] features = Features.compute(Page.of("u", BODY), null);
    NearDuplicates pages = NearDuplicates.inMemory(null);
    pages.close();
    pages.close();
    assertTrue(pages.isClosed());
    Map<String, Executable> calls = Map.ofEntries(
        Map.entry("check", () -> pages.check("u", BODY, "")),
        Map.entry("check page", () -> pages.check(Page.of("u", BODY))),
        Map.entry("query", () -> pages.query("u", BODY, "")),
        Map.entry("checkFeatures", () -> pages.checkFeatures(features)),
        Map.entry("queryFeatures", () -> pages.queryFeatures(features)),
        Map.entry("applyOutcome", () -> pages.applyOutcome(features, Features.decide(features, features, null))),
        Map.entry("remove", () -> pages.remove("u")),
        Map.entry("removeMatching", () -> pages.removeMatching(RemovalFilter.site("a.example"))),
        Map.entry("snapshot", pages::snapshot),
        Map.entry("compact", pages::compact),
        Map.entry("refresh", pages::refresh),
        Map.entry("setBookmark", () -> pages.setBookmark("n", new byte[1])),
        Map.entry("bookmark", () -> pages.bookmark("n")),
        Map.entry("find", () -> pages.find("u")),
        Map.entry("page", () -> pages.page(1)),
        Map.entry("members", () -> pages.members(1)),
        Map.entry("keptPage", () -> pages.keptPage(1, Keep.FIRST)),
        Map.entry("groups", pages::groups),
        Map.entry("events", () -> pages.events(0)),
        Map.entry("similar", () -> pages.similar(1, 1)),
        Map.entry("explain", () -> pages.explain(1, 2)),
        Map.entry("stats", pages::stats),
        Map.entry("metrics", pages::metrics));
    return calls.entrySet().stream()
        .map(call -> DynamicTest.dynamicTest(call.getKey(), () -> {
          ClosedException thrown = assertThrows(ClosedException.class, call.getValue());
          assertEquals(0, thrown.code());
        }));
  }

  @Test
  void closeWaitsForTheCallsUnderWayAndEndsTheRest() throws Exception {
    for (int round = 0; round < 20; ++round) {
      NearDuplicates pages = NearDuplicates.inMemory(null);
      ExecutorService threads = Executors.newFixedThreadPool(6);
      CountDownLatch busy = new CountDownLatch(4);
      List<Future<Long>> checkers = new ArrayList<>();
      for (int i = 0; i < 4; ++i) {
        int number = i;
        checkers.add(threads.submit(() -> checkUntilClosed(pages, number, busy)));
      }
      busy.await();
      Callable<Void> close = () -> {
        pages.close();
        return null;
      };
      for (Future<Void> closed : threads.invokeAll(List.of(close, close))) {
        closed.get();
      }
      assertTrue(pages.isClosed());
      for (Future<Long> checker : checkers) {
        assertTrue(checker.get() > 0);
      }
      threads.shutdown();
    }
  }

  private static long checkUntilClosed(NearDuplicates pages, int number, CountDownLatch busy) {
    byte[] body = Texts.largePage(number, 50_000);
    for (long n = 0; ; ++n) {
      try {
        pages.check("http://" + number + ".example/" + n, body, "text/html");
        if (n == 0) busy.countDown();
      } catch (ClosedException closed) {
        return n;
      }
    }
  }

  @Test
  void anInterruptedThreadGoesOnAndStaysInterrupted() {
    NearDuplicates pages = NearDuplicates.inMemory(null);
    Thread.currentThread().interrupt();
    assertEquals(Verdict.NEW, pages.check("u", BODY, "").verdict());
    pages.close();
    assertTrue(Thread.interrupted());
  }

  @Test
  void whoClosedItIsNotWarned() {
    try (LogLines log = LogLines.capture()) {
      for (int i = 0; i < 10; ++i) {
        NearDuplicates.inMemory(null).close();
      }
      assertOnlyTheNextIsWarnedOf(log);
    }
  }

  @Test
  void aForgottenEngineIsClosedWithAWarning(@TempDir Path directory) {
    Path store = directory.resolve("store");
    try (LogLines log = LogLines.capture()) {
      open(store);
      collectGarbageUntil(() -> !log.containing("forgotten").isEmpty());
      assertEquals(1, log.containing("forgotten").size());
      assertTrue(log.containing("forgotten").get(0).contains(store.toString()));
      // Its lock is free when the Cleaner is done with it.
      NearDuplicates again = openWhenFree(store);
      assertEquals(1, again.stats().pages());
      again.close();
    }
  }

  @Test
  void aLogThatFailsDoesNotKeepAForgottenEngineOpen(@TempDir Path directory) {
    Path store = directory.resolve("store");
    try (LogLines log = LogLines.failing(new LinkageError("of a handler"))) {
      open(store);
      collectGarbageUntil(() -> !log.containing("forgotten").isEmpty());
      openWhenFree(store).close();
    }
  }

  /** In a separate method, so that no frame refers to the engine. */
  private static void open(Path store) {
    NearDuplicates.open(store, Map.of()).check("u", BODY, "");
  }

  private static NearDuplicates openWhenFree(Path store) {
    while (true) {
      try {
        return NearDuplicates.open(store, Map.of());
      } catch (StoreLockedException notYet) {
        Thread.yield();
      }
    }
  }

  private static void collectGarbageUntil(BooleanSupplier done) {
    do {
      System.gc();
    } while (!done.getAsBoolean());
  }

  @Test
  void whatCouldNotBeOpenedIsNotForgotten(@TempDir Path directory) {
    try (LogLines log = LogLines.capture()) {
      assertThrows(NearDuplicatesException.class, () -> NearDuplicates.open(directory.resolve("no/such"), Map.of()));
      assertOnlyTheNextIsWarnedOf(log);
    }
  }

  /**
   * The Cleaner runs when it likes; when it has come to an engine that is really forgotten, it has seen those before.
   */
  private static void assertOnlyTheNextIsWarnedOf(LogLines log) {
    System.gc();
    forgetOne();
    collectGarbageUntil(() -> !log.containing("forgotten").isEmpty());
    assertEquals(1, log.containing("forgotten").size());
  }

  private static void forgetOne() {
    NearDuplicates.inMemory(null).check("u", BODY, "");
  }

  @Test
  void isClosedTellsTheState() {
    NearDuplicates pages = NearDuplicates.inMemory(null);
    assertFalse(pages.isClosed());
    pages.close();
    assertTrue(pages.isClosed());
  }
}
