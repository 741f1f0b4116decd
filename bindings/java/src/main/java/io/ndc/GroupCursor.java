package io.ndc;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Comparator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** All groups of an engine at one moment, copied into native memory and read from there in pieces. */
final class GroupCursor extends Spliterators.AbstractSpliterator<GroupInfo> {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int PIECE = 4096;

  private final State state = new State();
  private final Cleaner.Cleanable cleanable = CLEANER.register(this, state);
  private long[] rows = {};
  private int at;

  /** Without groups, until open() brings them: whatever fails from here on, the Cleaner knows of it. */
  GroupCursor() {
    super(Long.MAX_VALUE, ORDERED | SORTED | DISTINCT | NONNULL | IMMUTABLE);
  }

  void open(long engine) {
    state.cursor = NativeCalls.openGroups(engine);
  }

  /** A stream that frees the copy at its end, when it is closed, or when nobody has it any more. */
  Stream<GroupInfo> stream() {
    return StreamSupport.stream(this, false).onClose(cleanable::clean);
  }

  @Override
  public boolean tryAdvance(Consumer<? super GroupInfo> action) {
    if (at == rows.length && !read())
      return false;
    int begin = at;
    at += GroupInfo.NUMBERS;
    action.accept(GroupInfo.of(rows, begin));
    return true;
  }

  private boolean read() {
    try {
      rows = state.next();
    } finally {
      Reference.reachabilityFence(this);
    }
    at = 0;
    if (rows.length == 0)
      cleanable.clean();
    return rows.length != 0;
  }

  /** By id. */
  @Override
  public @Nullable Comparator<? super GroupInfo> getComparator() {
    return Comparator.comparingLong(GroupInfo::groupId);
  }

  /** The native copy; it knows nothing of the cursor that holds it, so that a Cleaner can free it. */
  private static final class State implements Runnable {
    /** 0: not open yet, or freed. */
    private long cursor;

    synchronized long[] next() {
      return cursor == 0 ? new long[0] : NativeCalls.nextGroups(cursor, PIECE);
    }

    @Override
    public synchronized void run() {
      if (cursor != 0)
        NativeCalls.freeGroups(cursor);
      cursor = 0;
    }
  }
}
