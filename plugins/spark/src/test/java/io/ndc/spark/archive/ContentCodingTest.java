package io.ndc.spark.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The cases of the command line's tests (tests/unit/tools/content_decoding_test.cpp). */
class ContentCodingTest {
  private static final int LIMIT = 1 << 20;

  private record Case(String name, UnaryOperator<byte[]> encode, ContentCoding coding) {}

  private static final List<Case> CASES = List.of(
      new Case("gzip", Warcs::gzip, ContentCoding.GZIP),
      new Case("zlib", Warcs::zlib, ContentCoding.DEFLATE),
      new Case("deflate", Warcs::rawDeflate, ContentCoding.DEFLATE),
      new Case("brotli", Warcs::brotli, ContentCoding.BROTLI));

  private static byte[] sample(int words) {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++)
      text.append("word").append(random.nextInt(1000)).append(' ');
    return Warcs.bytes(text.toString());
  }

  private static Decoded decode(Case coding, byte[] encoded, int limit) {
    return coding.coding().decode(ByteRange.of(encoded), limit);
  }

  private static void assertDecoded(Decoded.Outcome outcome, String text, Decoded decoded) {
    assertEquals(outcome, decoded.outcome());
    assertEquals(text, decoded.bytes().latin1());
  }

  @Test
  void whatWasEncodedIsGivenBack() {
    for (Case coding : CASES) {
      for (byte[] text : List.of(new byte[0], Warcs.bytes("a"), sample(60_000))) {
        Decoded decoded = decode(coding, coding.encode().apply(text), LIMIT);
        assertEquals(Decoded.Outcome.COMPLETE, decoded.outcome(), coding.name());
        assertEquals(Warcs.text(text), decoded.bytes().latin1(), coding.name());
      }
    }
    assertDecoded(Decoded.Outcome.COMPLETE, Warcs.WORDS, BrotliDecoding.decode(
        ByteRange.of(Warcs.BROTLI_WORDS), LIMIT));
  }

  @Test
  void severalGzipMembersAreOneContentAndWhatFollowsIsIgnored() {
    byte[] two = Warcs.join(Warcs.gzip(Warcs.bytes("one ")), Warcs.gzip(Warcs.bytes("two")));
    assertDecoded(Decoded.Outcome.COMPLETE, "one two", DeflateDecoding.gzip(ByteRange.of(two), LIMIT));
    byte[] trailing = Warcs.join(Warcs.gzip(Warcs.bytes("one")), Warcs.bytes("trailing bytes"));
    assertDecoded(Decoded.Outcome.COMPLETE, "one", DeflateDecoding.gzip(ByteRange.of(trailing), LIMIT));
    byte[] behind = Warcs.join(Warcs.BROTLI_WORDS, Warcs.bytes("trailing bytes"));
    assertDecoded(Decoded.Outcome.COMPLETE, Warcs.WORDS, BrotliDecoding.decode(ByteRange.of(behind), LIMIT));
  }

  @Test
  void cutDataGivesItsStart() {
    byte[] text = sample(3000);
    for (Case coding : CASES) {
      byte[] encoded = coding.encode().apply(text);
      int most = 0;
      int step = coding.coding() == ContentCoding.BROTLI ? 977 : 7;
      for (int size = 1; size < encoded.length; size += step) {
        Decoded decoded = decode(coding, Arrays.copyOf(encoded, size), LIMIT);
        assertEquals(Decoded.Outcome.CUT, decoded.outcome(), coding.name() + " " + size);
        assertTrue(Warcs.text(text).startsWith(decoded.bytes().latin1()), coding.name() + " " + size);
        most = Math.max(most, decoded.bytes().size());
      }
      assertTrue(most > text.length * 9 / 10, coding.name() + " gives at most " + most);
    }
  }

  @Test
  void zstdFramesAreDecoded() {
    // Its blocks have 128 KiB.
    byte[] text = sample(60_000);
    byte[] frame = Zstd.compress(text);
    ContentCoding zstd = ContentCoding.of("ZSTD");
    assertTrue(zstd.canBegin(ByteRange.of(frame)));
    assertFalse(zstd.canBegin(ByteRange.of(text)));
    byte[] two = Warcs.join(frame, Zstd.compress(Warcs.bytes("more")), Warcs.bytes("trailing bytes"));
    assertDecoded(Decoded.Outcome.COMPLETE, Warcs.text(text) + "more", zstd.decode(ByteRange.of(two), 1 << 20));
    Decoded cut = zstd.decode(ByteRange.of(Arrays.copyOf(frame, frame.length - 1)), 1 << 20);
    assertEquals(Decoded.Outcome.CUT, cut.outcome());
    assertTrue(cut.bytes().size() > 300_000, "only " + cut.bytes().size());
    assertTrue(Warcs.text(text).startsWith(cut.bytes().latin1()));
    assertDecoded(Decoded.Outcome.OVER_LIMIT, "", zstd.decode(ByteRange.of(frame), 0));
    byte[] bomb = Zstd.compress(new byte[16 << 20]);
    assertEquals(LIMIT, zstd.decode(ByteRange.of(bomb), LIMIT).bytes().size());
    byte[] damaged = frame.clone();
    Arrays.fill(damaged, 20, 60, (byte) 0xFF);
    assertEquals(Decoded.Outcome.DAMAGED, zstd.decode(ByteRange.of(damaged), 1 << 20).outcome());
    for (int size = 1; size < 9; size++)
      assertEquals(Decoded.Outcome.CUT, zstd.decode(ByteRange.of(Arrays.copyOf(frame, size)), LIMIT).outcome());
  }

  @Test
  void cutBrotliDataGivesAllThatItDetermines() {
    int before = 0;
    for (int size = 1; size < Warcs.BROTLI_WORDS.length; size++) {
      Decoded decoded = BrotliDecoding.decode(ByteRange.of(Arrays.copyOf(Warcs.BROTLI_WORDS, size)), LIMIT);
      assertEquals(Decoded.Outcome.CUT, decoded.outcome(), "size " + size);
      assertTrue(Warcs.WORDS.startsWith(decoded.bytes().latin1()), "size " + size);
      assertTrue(decoded.bytes().size() >= before, "size " + size);
      before = decoded.bytes().size();
    }
    assertTrue(before > Warcs.WORDS.length() - 20, "only " + before);
  }

  @Test
  void decodingStopsAtTheLimit() {
    byte[] text = sample(20_000);
    for (Case coding : CASES) {
      byte[] encoded = coding.encode().apply(text);
      assertEquals(Decoded.Outcome.COMPLETE, decode(coding, encoded, text.length).outcome(), coding.name());
      for (int limit : new int[] {0, 1, 70_000, text.length - 1}) {
        Decoded decoded = decode(coding, encoded, limit);
        assertEquals(Decoded.Outcome.OVER_LIMIT, decoded.outcome(), coding.name());
        assertEquals(Warcs.text(text).substring(0, limit), decoded.bytes().latin1(), coding.name());
      }
    }
  }

  @Test
  void aBombGivesNoMoreThanTheLimit() {
    byte[] zeros = new byte[16 << 20];
    for (Case coding : CASES) {
      boolean brotli = coding.coding() == ContentCoding.BROTLI;
      byte[] bomb = brotli ? Warcs.BROTLI_ZEROS : coding.encode().apply(zeros);
      assertTrue(bomb.length < 100_000, coding.name());
      Decoded decoded = decode(coding, bomb, LIMIT);
      assertEquals(Decoded.Outcome.OVER_LIMIT, decoded.outcome(), coding.name());
      assertEquals(LIMIT, decoded.bytes().size(), coding.name());
      assertTrue(decoded.bytes().array().length <= LIMIT, coding.name());
    }
  }

  @Test
  void damagedDataIsNotTakenForWhole() {
    byte[] text = sample(500);
    for (Case coding : CASES.subList(0, 2)) {
      byte[] encoded = coding.encode().apply(text);
      // The checksum's last bytes.
      encoded[encoded.length - (coding.coding() == ContentCoding.GZIP ? 5 : 1)] ^= 1;
      assertDecoded(Decoded.Outcome.DAMAGED, Warcs.text(text), decode(coding, encoded, LIMIT));
    }
    byte[] brotli = Warcs.BROTLI_WORDS.clone();
    brotli[8] ^= 0x55;
    assertEquals(Decoded.Outcome.DAMAGED, BrotliDecoding.decode(ByteRange.of(brotli), LIMIT).outcome());
  }

  @Test
  void randomBytesEnd() {
    Random random = new Random(17);
    for (int round = 0; round < 400; round++) {
      byte[] noise = new byte[random.nextInt(500)];
      random.nextBytes(noise);
      byte[] data = round % 2 == 0 ? Warcs.join(new byte[] {0x1F, (byte) 0x8B, 8}, noise) : noise;
      for (Case coding : CASES)
        assertTrue(decode(coding, data, 5000).bytes().size() <= 5000, coding.name());
    }
  }
}
