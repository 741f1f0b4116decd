package io.ndc.spark.archive;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Undoes the content codings gzip and deflate (RFC 1952, 1950, 1951). Memory: the output and a fixed window.
 */
final class DeflateDecoding {
  private static final int CHUNK_BYTES = 64 << 10;

  private DeflateDecoding() {}

  /** Several gzip members in a row are one content; what follows the last is ignored. */
  static Decoded gzip(ByteRange data, int limit) {
    LimitedBytes out = new LimitedBytes(limit);
    byte[] chunk = new byte[CHUNK_BYTES];
    ByteRange rest = data;
    try (GzipMember member = new GzipMember(true)) {
      do {
        member.start();
        GzipMember.Outcome outcome;
        do {
          outcome = member.run(rest, chunk, 0, chunk.length);
          rest = rest.from(member.taken());
          if (out.append(chunk, 0, member.given())) return out.decoded(Decoded.Outcome.OVER_LIMIT);
          if (outcome == GzipMember.Outcome.DAMAGED) return out.decoded(Decoded.Outcome.DAMAGED);
          boolean starved = rest.isEmpty() && member.given() < chunk.length;
          if (outcome == GzipMember.Outcome.GOES_ON && starved) return out.decoded(Decoded.Outcome.CUT);
        } while (outcome != GzipMember.Outcome.ENDED);
      } while (ContentCoding.GZIP.canBegin(rest));
    }
    return out.decoded(Decoded.Outcome.COMPLETE);
  }

  /** "deflate" means the zlib format, but many servers send raw deflate data: both are understood. */
  static Decoded deflate(ByteRange data, int limit) {
    Decoded asZlib = inflate(data, false, limit);
    boolean other = asZlib.outcome() == Decoded.Outcome.DAMAGED && asZlib.bytes().isEmpty();
    return other ? inflate(data, true, limit) : asZlib;
  }

  private static Decoded inflate(ByteRange data, boolean raw, int limit) {
    LimitedBytes out = new LimitedBytes(limit);
    byte[] chunk = new byte[CHUNK_BYTES];
    Inflater inflater = new Inflater(raw);
    try {
      inflater.setInput(data.array(), data.begin(), data.size());
      for (;;) {
        long before = inflater.getBytesWritten();
        boolean damaged = false;
        try {
          inflater.inflate(chunk);
        } catch (DataFormatException wrong) {
          damaged = true;
        }
        int given = (int) (inflater.getBytesWritten() - before);
        if (out.append(chunk, 0, given)) return out.decoded(Decoded.Outcome.OVER_LIMIT);
        if (inflater.finished()) return out.decoded(Decoded.Outcome.COMPLETE);
        if (damaged || inflater.needsDictionary()) return out.decoded(Decoded.Outcome.DAMAGED);
        if (inflater.needsInput() && given < chunk.length) return out.decoded(Decoded.Outcome.CUT);
      }
    } finally {
      inflater.end();
    }
  }
}
