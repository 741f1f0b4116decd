package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a crawl while one of them opens the store: the others must not wait. */
final class VerdictStoreTest {
  @TempDir Path folder;

  @Test
  void othersDoNotWaitForTheOneThatOpens() throws Exception {
    // The obstacle makes open() fail, and log the failure while it still holds the store.
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    VerdictStore store = new VerdictStore(file.resolve("store"), Map.of(), Duration.ZERO);
    StoppedLog log = new StoppedLog();
    Logger logger = Logger.getLogger(NearDuplicateProcessor.class.getName());
    logger.addHandler(log);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> opening = thread.submit(store::engine);
      assertTrue(log.reached.await(60, TimeUnit.SECONDS), "a thread opens the store");
      assertNull(store.engine());
      log.goOn.countDown();
      opening.get();
      assertTrue(log.waited, "the second thread came back while the first was opening");
      Files.delete(file);
      assertNotNull(store.engine(), store.problem());
      assertNull(store.problem());
    } finally {
      log.goOn.countDown();
      logger.removeHandler(log);
      thread.shutdownNow();
      store.close();
    }
    assertNull(store.engine(), "closed for good");
  }

  /** A log that blocks at its first record. */
  private static final class StoppedLog extends Handler {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile boolean waited;

    @Override
    public void publish(LogRecord entry) {
      reached.countDown();
      try {
        waited = goOn.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
