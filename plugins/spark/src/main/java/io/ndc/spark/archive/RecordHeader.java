package io.ndc.spark.archive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.netpreserve.jwarc.WarcParser;

/**
 * The named fields of a WARC record's header. jwarc reads what keeps to the standard's grammar. It refuses
 * other headers, or, when it is asked to be lenient, leaves control characters out of values, and a URL is
 * another one then; these are read line by line, as the command line reads all.
 */
final class RecordHeader {
  private static final List<String> WANTED = List.of(
      "WARC-Type", "WARC-Target-URI", "WARC-Date", "WARC-Truncated", "Content-Type", "Content-Length");

  private final WarcParser parser = new WarcParser();

  /**
   * The fields that a page needs, a character a byte.
   *
   * @param header begins with the version line and ends with the empty one
   */
  HeaderFields parse(ByteRange header) throws UnreadableException {
    parser.reset();
    // jwarc takes values for UTF-8, and what is none would be lost: each byte is given as the character of
    // its number.
    ByteBuffer characters = ByteBuffer.wrap(header.latin1().getBytes(StandardCharsets.UTF_8));
    parser.parse(characters);
    if (!parser.isFinished() || characters.hasRemaining())
      return HeaderFields.parse(header.from(header.indexOf((byte) '\n', 0) + 1), WANTED);
    HeaderFields fields = new HeaderFields();
    for (String name : WANTED) {
      for (String value : parser.headers().all(name))
        fields.add(name, value);
    }
    return fields;
  }
}
