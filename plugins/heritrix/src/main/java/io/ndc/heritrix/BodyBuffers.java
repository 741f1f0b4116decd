package io.ndc.heritrix;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory for the bodies of all pages that are checked at once, bounded whatever the number of threads: who finds no
 * buffer waits until another thread has given one back. Buffers lie outside of the heap, where a small heap in pieces
 * is no obstacle, and are used again; a check copies what is in one, no more, into the heap. Safe for any number of
 * threads, each of which takes one buffer at a time.
 */
final class BodyBuffers {
  private static final int HEAP_SHARE = 8;
  private static final int SMALLEST_BYTES = 1024;

  private final int total;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition given = lock.newCondition();
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  /** All buffers have one size: the greatest that was asked for. */
  private int size;
  private long allocated;

  /** Buffers of {@code total} bytes together. */
  BodyBuffers(long total) {
    this.total = (int) Math.max(SMALLEST_BYTES, Math.min(total, Integer.MAX_VALUE / 2));
  }

  /** As large together as an eighth of the largest heap that this JVM may have. */
  static BodyBuffers shareOfHeap() {
    return new BodyBuffers(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * Waits for a buffer.
   *
   * @param limit of its bytes, 1 or more; it has less if this is more than all buffers may have together
   * @return empty; to be given back
   * @throws OutOfMemoryError if the JVM has less memory than these buffers may use
   */
  ByteBuffer take(int limit) {
    int wanted = Math.min(limit, total);
    lock.lock();
    try {
      size = Math.max(size, wanted);
      while (true) {
        ByteBuffer buffer = free.poll();
        if (buffer == null && allocated + size > total) {
          // Not interruptible: that would fail the page, and the wait ends with a check of another thread.
          given.awaitUninterruptibly();
        } else if (buffer == null) {
          return allocate().limit(wanted);
        } else if (buffer.capacity() >= wanted) {
          return buffer.clear().limit(wanted);
        } else {
          allocated -= buffer.capacity();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private ByteBuffer allocate() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(size);
    allocated += size;
    return buffer;
  }

  /** Takes back what was taken; once. */
  void give(ByteBuffer buffer) {
    lock.lock();
    try {
      free.push(buffer);
      // All: one that waits for a larger buffer drops this one, and others may find room then.
      given.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
