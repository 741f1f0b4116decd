package io.ndc;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * A native engine and the lock that keeps it open while it is used. It knows nothing of the {@link NearDuplicates} that
 * holds it, so that a Cleaner can close it when that one was forgotten. No code of the host runs under the lock.
 */
final class EngineState implements Runnable {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final String name;
  /** 0: not open yet, or closed. */
  private long handle;

  /** Its name in messages. */
  EngineState(String name) {
    this.name = name;
  }

  void open(byte[] path, byte[][] options) {
    lock.writeLock().lock();
    try {
      handle = NativeCalls.open(path, options);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Runs a call on the open engine; close() waits for it. */
  <T> T call(LongFunction<T> call) {
    byte[][] log = null;
    lock.readLock().lock();
    try {
      if (handle == 0) throw new ClosedException();
      try {
        return call.apply(handle);
      } finally {
        log = NativeCalls.takeLog(handle);
      }
    } finally {
      lock.readLock().unlock();
      EngineLog.tell(log);
    }
  }

  boolean isClosed() {
    lock.readLock().lock();
    try {
      return handle == 0;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Closes it when no call is under way any more; the second time, nothing. */
  void close() {
    byte[][] log = null;
    lock.writeLock().lock();
    try {
      if (handle == 0) return;
      long closing = handle;
      handle = 0;
      try {
        NativeCalls.close(closing);
      } finally {
        try {
          log = NativeCalls.takeLog(closing);
        } finally {
          NativeCalls.free(closing);
        }
      }
    } finally {
      lock.writeLock().unlock();
      EngineLog.tell(log);
    }
  }

  /** For the Cleaner: closes what nobody closed, and says so. */
  @Override
  public void run() {
    if (isClosed()) return;
    Throwable failure = null;
    try {
      close();
    } catch (RuntimeException | Error failed) {
      failure = failed;
    }
    // After that: nothing that the host's log does may keep it open.
    EngineLog.tell(
        Level.WARNING, "a NearDuplicates (" + name + ") was forgotten without close(); it is closed now", null);
    if (failure != null) {
      EngineLog.tell(Level.ERROR, "closing a forgotten NearDuplicates (" + name + ") failed", failure);
    }
  }
}
