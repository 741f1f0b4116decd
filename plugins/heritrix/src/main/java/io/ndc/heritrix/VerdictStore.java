package io.ndc.heritrix;

import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The store of a running crawl: open, or not to be had for now and tried again from time to time. Safe for any number
 * of threads.
 */
final class VerdictStore implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger(NearDuplicateProcessor.class.getName());

  private final Path path;
  private final Map<String, String> options;
  private final long retryNanos;

  /** Held to open and to close. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile NearDuplicates engine;
  private volatile String problem;
  private volatile boolean closed;
  private long triedAtNanos;

  /**
   * Describes a store; nothing is opened yet.
   *
   * @param path of the store's directory; what is missing of the folders above is made
   * @param options of ndc, may be empty
   * @param retry the time between two attempts to open; not negative
   */
  VerdictStore(Path path, Map<String, String> options, Duration retry) {
    this.path = path;
    this.options = Map.copyOf(options);
    this.retryNanos = retry.toNanos();
  }

  /** The engine; null if the store could not be opened. Tries again if it is time. */
  NearDuplicates engine() {
    NearDuplicates open = engine;
    return open != null || closed ? open : reopen();
  }

  /** Why there is no engine; null if there is one. */
  String problem() {
    return problem;
  }

  Path path() {
    return path;
  }

  /**
   * Tries to open the store.
   *
   * @return false if that failed; {@link #problem} says why
   */
  boolean open() {
    lock.lock();
    try {
      return tryToOpen();
    } finally {
      lock.unlock();
    }
  }

  private boolean tryToOpen() {
    triedAtNanos = System.nanoTime();
    if (closed || engine != null) {
      return engine != null;
    }
    try {
      if (path.getParent() != null) {
        Files.createDirectories(path.getParent());
      }
      engine = NearDuplicates.open(path, options);
      problem = null;
      return true;
    } catch (NearDuplicatesException | IOException | LinkageError e) {
      // A LinkageError: the jar of the binding is not there, or its native library does not fit.
      String sentence = "the near-duplicate store " + path + " cannot be opened: " + e;
      LOGGER.log(problem == null ? Level.SEVERE : Level.WARNING, sentence + "; the crawl goes on without verdicts", e);
      problem = sentence;
      return false;
    }
  }

  /** To open a large store takes a while; only one thread waits for it, the others go on without. */
  private NearDuplicates reopen() {
    if (!lock.tryLock()) {
      return engine;
    }
    try {
      if (engine == null && !closed && System.nanoTime() - triedAtNanos >= retryNanos && tryToOpen()) {
        LOGGER.info("the near-duplicate store " + path + " is open now; pages have verdicts from here on");
      }
      return engine;
    } finally {
      lock.unlock();
    }
  }

  /** Closes for good; a failure is logged, since what was acknowledged is in the journal. Twice is fine. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      NearDuplicates open = engine;
      engine = null;
      if (open != null) {
        open.close();
      }
    } catch (NearDuplicatesException e) {
      LOGGER.log(
          Level.WARNING,
          "the near-duplicate store " + path + " was closed without a last snapshot: " + e.getMessage(),
          e);
    } finally {
      lock.unlock();
    }
  }
}
