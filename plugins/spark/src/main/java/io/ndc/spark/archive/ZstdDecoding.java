package io.ndc.spark.archive;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * Undoes the content coding zstd (RFC 8878), with the library that is among Spark's own jars. Memory: three times the
 * output, and the window that the data asks for, 128 MiB at most.
 */
final class ZstdDecoding {
  private static final int CHUNK_BYTES = 64 << 10;

  private ZstdDecoding() {}

  static boolean begins(ByteRange data) {
    return data.startsWith((byte) 0x28, (byte) 0xB5, (byte) 0x2F, (byte) 0xFD);
  }

  /** Ignores what follows the frames. */
  static Decoded decode(ByteRange data, int limit) {
    int wholeBytes = wholeFrames(data);
    boolean cut = wholeBytes == 0 || begins(data.from(wholeBytes));
    int size = cut ? data.size() : wholeBytes;
    LimitedBytes out = new LimitedBytes(limit);
    byte[] chunk = new byte[CHUNK_BYTES];
    try (ZstdInputStreamNoFinalizer frames =
             new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(data.array(), data.begin(), size))) {
      // Of a frame that is cut, what there is.
      frames.setContinuous(true);
      for (int count = frames.read(chunk); count >= 0; count = frames.read(chunk))
        if (out.append(chunk, 0, count)) return out.decoded(Decoded.Outcome.OVER_LIMIT);
      return out.decoded(cut ? Decoded.Outcome.CUT : Decoded.Outcome.COMPLETE);
    } catch (IOException damaged) {
      return out.decoded(Decoded.Outcome.DAMAGED);
    }
  }

  // Bytes of the frames at the start that are all there.
  private static int wholeFrames(ByteRange data) {
    int at = 0;
    try {
      while (begins(data.from(at)))
        at += (int) Zstd.findFrameCompressedSize(data.array(), data.begin() + at, data.size() - at);
    } catch (ZstdException cut) {
      // So is what is damaged; decoding tells the two apart.
    }
    return at;
  }
}
