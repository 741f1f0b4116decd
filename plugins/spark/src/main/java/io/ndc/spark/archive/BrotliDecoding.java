package io.ndc.spark.archive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.brotli.dec.BrotliInputStream;

/**
 * Undoes the content coding br (RFC 7932). Memory: three times the output, and the window that the data asks
 * for, 16 MiB at most.
 */
final class BrotliDecoding {
  private static final int CHUNK_BYTES = 64 << 10;
  // More than the decoder reads at once, and more than uncompressed blocks usually miss.
  private static final int PADDING_BYTES = 1 << 20;

  private static final byte[] PADDINGS = {0, (byte) 0xFF, 0x5A, (byte) 0xC3};

  private BrotliDecoding() {}

  /** Ignores what follows the stream. */
  static Decoded decode(ByteRange data, int limit) {
    Decoded decoded = attempt(stream(data), limit, false);
    if (decoded.outcome() != Decoded.Outcome.CUT) return decoded;
    // The decoder continues with zeros before it misses data. What does not depend on the bits behind the end
    // is true.
    ByteRange common = padded(data, PADDINGS[0], limit);
    for (int i = 1; i < PADDINGS.length; i++) {
      ByteRange other = padded(data, PADDINGS[i], limit);
      int same = Arrays.mismatch(common.array(), 0, common.size(), other.array(), 0, other.size());
      if (same >= 0) common = common.first(same);
    }
    return new Decoded(common, Decoded.Outcome.CUT);
  }

  private static ByteRange padded(ByteRange data, byte value, int limit) {
    byte[] padding = new byte[PADDING_BYTES];
    Arrays.fill(padding, value);
    return attempt(new SequenceInputStream(stream(data), new ByteArrayInputStream(padding)), limit, true)
        .bytes();
  }

  private static InputStream stream(ByteRange data) {
    return new ByteArrayInputStream(data.array(), data.begin(), data.size());
  }

  // `all`: also what was decoded right before damage.
  private static Decoded attempt(InputStream data, int limit, boolean all) {
    LimitedBytes out = new LimitedBytes(limit);
    byte[] chunk = new byte[CHUNK_BYTES];
    BrotliInputStream decoder;
    try {
      decoder = new BrotliInputStream(data);
    } catch (IOException noStream) {
      return out.decoded(Decoded.Outcome.DAMAGED);
    }
    // Not closed: it has only memory, and closing would lose its state.
    try {
      for (int count = decoder.read(chunk); count >= 0; count = decoder.read(chunk))
        if (out.append(chunk, 0, count)) return out.decoded(Decoded.Outcome.OVER_LIMIT);
      return out.decoded(Decoded.Outcome.COMPLETE);
    } catch (IOException failed) {
      Decoded.Outcome outcome = rest(BrotliState.of(decoder), chunk, all, out);
      return out.decoded(outcome);
    }
  }

  // Takes what was decoded before the failure.
  private static Decoded.Outcome rest(BrotliState state, byte[] chunk, boolean all, LimitedBytes out) {
    if (out.append(chunk, 0, state.givenByLastRead())) return Decoded.Outcome.OVER_LIMIT;
    if (state.readWhole()) return Decoded.Outcome.COMPLETE;
    Decoded.Outcome outcome = state.readBehindEnd() ? Decoded.Outcome.CUT : Decoded.Outcome.DAMAGED;
    if (outcome == Decoded.Outcome.CUT || all) {
      ByteRange rest = state.notGiven();
      out.append(rest.array(), rest.begin(), rest.size());
    }
    return outcome;
  }
}
