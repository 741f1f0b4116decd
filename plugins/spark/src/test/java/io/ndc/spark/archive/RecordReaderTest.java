package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.bytes;
import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.join;
import static io.ndc.spark.archive.Warcs.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places, reasons and bounds; what is read of each kind of record is in tests/cases/expected.tsv. */
class RecordReaderTest {
  private static final byte[] FIRST = page("http://a/", "first page");
  private static final byte[] SECOND = page("http://b/", "second page");
  private static final byte[] THIRD = page("http://c/", "third page");
  private static final byte[] PLAIN = join(FIRST, SECOND, THIRD);
  private static final byte[] MEMBERS = join(gzip(FIRST), gzip(SECOND), gzip(THIRD));
  private static final List<String> URIS = List.of("http://a/", "http://b/", "http://c/");

  private static void assertWhole(byte[] archive) {
    RecordReads reads = RecordReads.of(archive);
    assertEquals(URIS, reads.uris);
    assertEquals(List.of(), reads.reasons);
  }

  @Test
  void plainRecordsHaveFieldsAndPlaces() {
    byte[] first = Warcs.record("warcinfo", "", bytes("software: x"));
    byte[] second = Warcs.record("resource", "<http://b/>", bytes("bytes"), "WARC-Truncated: length");
    RecordReads reads = RecordReads.of(join(first, second));
    assertEquals(List.of("", "http://b/"), reads.uris);
    assertEquals(List.of("software: x", "bytes"), reads.blocks);
    assertEquals(List.of(false, true), reads.truncated);
    assertEquals(List.of(new Position(0, 0), new Position(first.length, 0)), reads.positions);
    assertEquals(List.of(), reads.reasons);
  }

  @Test
  void membersMayHoldARecordOrManyOrPieces() {
    assertWhole(MEMBERS);
    assertEquals(new Position(gzip(FIRST).length, 0), RecordReads.of(MEMBERS).positions.get(1));
    assertWhole(gzip(PLAIN));
    assertEquals(new Position(0, FIRST.length + SECOND.length), RecordReads.of(gzip(PLAIN)).positions.get(2));
    byte[] pieces = new byte[0];
    for (int at = 0; at < PLAIN.length; at += 50)
      pieces = join(pieces, gzip(Arrays.copyOfRange(PLAIN, at, Math.min(at + 50, PLAIN.length))));
    assertWhole(pieces);
  }

  @Test
  void thePiecesOfReadingDoNotMatter() {
    for (byte[] archive : List.of(PLAIN, MEMBERS, gzip(PLAIN))) {
      for (int piece = 1; piece < 40; piece++) {
        RecordReads reads = RecordReads.of(archive, piece, 1 << 20);
        assertEquals(URIS, reads.uris, "pieces of " + piece);
        assertEquals(List.of(), reads.reasons, "pieces of " + piece);
        assertTrue(reads.blocks.get(2).endsWith("third page"), "pieces of " + piece);
      }
    }
  }

  @Test
  void lineFeedsFoldedFieldsAndAnyCaseAreAccepted() {
    RecordReads reads = RecordReads.of(bytes(
        "\n\r\nWARC/1.0\nwarc-TYPE: resource\nWARC-Target-URI:\n http://a/\n\t?q=1\nnonsense line\n"
            + "CONTENT-length: 4\n\nbody\n\n"
            + "WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://b/\nContent-Length: 0\n\n\n\n\n\n"));
    assertEquals(List.of("http://a/ ?q=1", "http://b/"), reads.uris);
    assertEquals(List.of("body", ""), reads.blocks);
    assertEquals(List.of(), reads.reasons);
  }

  @Test
  void longBlocksAreCutAndReadingGoesOn() {
    byte[] big = Warcs.record("resource", "http://big/", bytes("x".repeat(300_000)));
    for (byte[] archive : List.of(join(big, PLAIN), join(gzip(big), MEMBERS))) {
      RecordReads reads = RecordReads.of(archive, Integer.MAX_VALUE, 1000);
      assertEquals(List.of("http://big/", "http://a/", "http://b/", "http://c/"), reads.uris);
      assertEquals("x".repeat(1000), reads.blocks.get(0));
      assertEquals(List.of(true, false, false, false), reads.truncated);
    }
  }

  @Test
  void aWrongContentLengthCostsOneRecord() {
    byte[] start = page("http://0/", "zero");
    List<String> uris = List.of("http://0/", "http://a/", "http://b/", "http://c/");
    for (String length : List.of(
        "Content-Length: 3\r\n", "Content-Length: 99\r\n", "Content-Length: 99999999999\r\n",
        "Content-Length: 18446744073709551615\r\n", "Content-Length: -1\r\n", "Content-Length: 12x\r\n",
        "X: 1\r\n")) {
      byte[] wrong = bytes("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://w/\r\n" + length
          + "\r\nsixteen bytes xx\r\n\r\n");
      RecordReads plain = RecordReads.of(join(start, wrong, PLAIN));
      assertEquals(uris, plain.uris, length);
      assertEquals(List.of(new Position(start.length, 0)), plain.damages, length);
      // Only the end of the member shows that three bytes were too few.
      RecordReads members = RecordReads.of(join(gzip(start), gzip(wrong), MEMBERS));
      assertEquals(uris, members.uris, length);
      assertEquals(List.of(new Position(gzip(start).length, 0)), members.damages, length);
    }
  }

  @Test
  void aRecordThatIsCutInItsHeaderDoesNotTakeTheNextOnes() {
    int header = "WARC/1.0\r\nWARC-Type: response\r\n".length();
    for (int cut : new int[] {header, header - 7, header + 20}) {
      RecordReads reads = RecordReads.of(join(Arrays.copyOf(page("http://0/", "zero"), cut), PLAIN));
      assertEquals(URIS, reads.uris, "cut at " + cut);
      assertEquals(1, reads.damages.size(), "cut at " + cut);
    }
  }

  @Test
  void aLengthThatIsWrongByLittleCostsNothing() {
    byte[] start = page("http://0/", "zero");
    for (int off = -3; off <= 7; off++) {
      byte[] wrong = bytes("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://w/\r\nContent-Length: "
          + (16 + off) + "\r\n\r\nsixteen bytes xx\r\n\r\n");
      for (int limit : new int[] {14, 1 << 20}) {
        RecordReads plain = RecordReads.of(join(start, wrong, PLAIN), 1 << 20, limit);
        assertEquals(List.of("http://0/", "http://w/", "http://a/", "http://b/", "http://c/"), plain.uris,
            "off by " + off);
        assertEquals(List.of(), plain.reasons, "off by " + off);
        RecordReads members = RecordReads.of(join(gzip(start), gzip(wrong), MEMBERS), 1 << 20, limit);
        assertEquals(plain.uris, members.uris, "off by " + off);
        assertEquals(List.of(), members.reasons, "off by " + off);
      }
    }
  }

  @Test
  void garbageAndUnknownVersionsAreSteppedOver() {
    byte[] garbage = bytes("garbage without a header\r\n\r\n");
    RecordReads reads = RecordReads.of(join(page("http://0/", "zero"), garbage, PLAIN));
    assertEquals(List.of("http://0/", "http://a/", "http://b/", "http://c/"), reads.uris);
    assertEquals(List.of("no WARC record begins here"), reads.reasons);
    RecordReads future = RecordReads.of(join(bytes("WARC/2.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"), PLAIN));
    assertEquals(URIS, future.uris);
    assertEquals(List.of("not a version 1 WARC record"), future.reasons);
    assertEquals(1, RecordReads.of(new byte[100_000]).damages.size());
    RecordReads endless = RecordReads.of(bytes("WARC/1.0\r\n" + "h".repeat(3 << 20)));
    assertEquals(List.of("the record's header is longer than 1 MiB"), endless.reasons);
  }
}
