package io.ndc.spark.archive;

import java.lang.reflect.Field;
import org.brotli.dec.BrotliInputStream;

/**
 * What a decoder of org.brotli:dec knows after a failure and does not tell: it drops what it has decoded and
 * not given yet, which is a whole page as a rule, and does not say whether the data is wrong or merely ends
 * too early.
 */
final class BrotliState {
  // Values of State.runningState.
  private static final int COPY_UNCOMPRESSED = 5;
  private static final int FINISHED = 10;

  private final ByteRange notGiven;
  private final int givenByLastRead;
  private final boolean readBehindEnd;
  private final boolean readWhole;

  private BrotliState(ByteRange notGiven, int givenByLastRead, boolean readBehindEnd, boolean readWhole) {
    this.notGiven = notGiven;
    this.givenByLastRead = givenByLastRead;
    this.readBehindEnd = readBehindEnd;
    this.readWhole = readWhole;
  }

  /** The state of a decoder whose read has failed. */
  static BrotliState of(BrotliInputStream decoder) {
    try {
      Object state = field(decoder, "state");
      Object reader = field(state, "br");
      boolean atEnd = (Boolean) field(reader, "endOfStreamReached");
      int read = 4 * (Integer) field(reader, "intOffset")
          + ((Integer) field(reader, "bitOffset") + 7) / 8 - 8;
      int running = (Integer) field(state, "runningState");
      // Copying fails for lack of data only.
      boolean behindEnd =
          running == COPY_UNCOMPRESSED || atEnd && read > (Integer) field(reader, "tailBytes");
      boolean finished = running == FINISHED;
      byte[] ring = (byte[]) field(state, "ringBuffer");
      ByteRange notGiven =
          finished || ring == null ? ByteRange.EMPTY : new ByteRange(ring, 0, (Integer) field(state, "pos"));
      boolean whole = finished && !behindEnd;
      return new BrotliState(notGiven, (Integer) field(state, "outputUsed"), behindEnd, whole);
    } catch (ReflectiveOperationException otherVersion) {
      throw new LinkageError("org.brotli:dec is not version 0.1.2", otherVersion);
    }
  }

  /** Bytes that the failed read has put into its caller's array. */
  int givenByLastRead() {
    return givenByLastRead;
  }

  /** The output decoded after that. */
  ByteRange notGiven() {
    return notGiven;
  }

  /** Whether it failed for lack of data. */
  boolean readBehindEnd() {
    return readBehindEnd;
  }

  /** Whether all was decoded and given, and bytes follow that do not belong to it. */
  boolean readWhole() {
    return readWhole;
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
