package io.ndc.spark.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.netpreserve.jwarc.WarcParser;

/** The header of a record, read alike by jwarc and by our own lines. */
class RecordHeaderTest {
  private static final List<String> NAMES =
      List.of("WARC-Type", "WARC-Target-URI", "Content-Type", "Content-Length");
  private static final List<String> PIECES = List.of(
      "WARC-Type", "warc-target-uri", "Content-Type", "Content-Length",
      ":", ": ", ":", " ", "\t", "\r\n", "\r\n", "\r\n ", "\n", "x", "\u00e9", "\u00c3\u00a9", "a b",
      "\u0001", "\r", "\"",
      "<http://a/>", "12", "\u007f", "=?UTF-8?Q?a?=");

  // What jwarc reads by its grammar and what is read line by line must be the same.
  @Test
  void jwarcAndTheLinesAgree() throws UnreadableException {
    Random random = new Random(5);
    RecordHeader header = new RecordHeader();
    int byJwarc = 0;
    for (int round = 0; round < 200_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int field = random.nextInt(3); field >= 0; field--) {
        text.append(PIECES.get(random.nextInt(4))).append(':');
        for (int count = random.nextInt(6); count > 0; count--)
          text.append(PIECES.get(random.nextInt(PIECES.size())));
        text.append("\r\n");
      }
      ByteRange whole = ByteRange.ofLatin1("WARC/1.1\r\n" + text + "\r\n");
      ByteRange bytes = whole.first(HeaderFields.headerEnd(whole, 0));
      WarcParser parser = new WarcParser();
      parser.parse(ByteBuffer.wrap(bytes.copy()));
      if (parser.isFinished()) byJwarc++;
      HeaderFields read = header.parse(bytes);
      HeaderFields lines = HeaderFields.parse(bytes.from(10), NAMES);
      for (String name : NAMES)
        assertEquals(lines.find(name), read.find(name), () -> name + " of " + VisibleText.of(bytes.latin1()));
    }
    assertTrue(byJwarc > 10_000, "jwarc reads " + byJwarc);
  }

  private static String find(String header, String name) throws UnreadableException {
    return new RecordHeader().parse(ByteRange.ofLatin1(header)).find(name);
  }

  @Test
  void bytesAreKept() throws UnreadableException {
    String uri = "http://a/\u00e9\u00c3\u00a9\u00ff";
    assertEquals(uri, find("WARC/1.0\r\nWARC-Target-URI: " + uri + "\r\n\r\n", "WARC-Target-URI"));
    // jwarc would leave it out.
    assertEquals("http://a/\u0001b",
        find("WARC/1.0\r\nWARC-Target-URI: http://a/\u0001b\r\n\r\n", "WARC-Target-URI"));
  }

  @Test
  void theFirstOfSeveralFieldsCounts() throws UnreadableException {
    for (String end : List.of("\r\n", "\n"))
      assertEquals("a",
          find("WARC/1.0" + end + "WARC-Type: a" + end + "warc-type: b" + end + end, "WARC-Type"));
  }
}
