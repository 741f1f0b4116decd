package io.ndc.heritrix;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.archive.io.ArchiveReader;
import org.archive.io.ArchiveRecord;
import org.archive.io.warc.WARCReaderFactory;

/**
 * A record of a WARC file, read whole.
 *
 * @param type of the record: response, metadata, ...
 * @param url its target, null if it has none
 * @param headers of the record
 * @param block its content
 */
record WarcRecord(String type, String url, Map<String, Object> headers, byte[] block) {
  static List<WarcRecord> read(Path file) throws IOException {
    List<WarcRecord> records = new ArrayList<>();
    try (ArchiveReader reader = WARCReaderFactory.get(file.toFile())) {
      for (ArchiveRecord record : reader) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        record.transferTo(block);
        Map<String, Object> headers = new LinkedHashMap<>(record.getHeader().getHeaderFields());
        records.add(new WarcRecord(
            (String) headers.get("WARC-Type"), record.getHeader().getUrl(), headers, block.toByteArray()));
      }
    }
    return records;
  }

  String header(String name) {
    Object value = headers.get(name);
    return value == null ? null : value.toString();
  }

  /**
   * The fields of a block of application/warc-fields; of those that stand there more than once, all values in one line
   * each.
   */
  Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : new String(block, StandardCharsets.UTF_8).split("\r\n")) {
      if (!line.isEmpty()) {
        String[] parts = line.split(": ", 2);
        fields.merge(parts[0], parts.length > 1 ? parts[1] : "", (first, second) -> first + "\n" + second);
      }
    }
    return fields;
  }

  /** The HTTP answer in a response record, without Content-Length. */
  WebPage httpPage() {
    String text = new String(block, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    String[] lines = text.substring(0, end).split("\r\n");
    Map<String, String> httpHeaders = new LinkedHashMap<>();
    for (int line = 1; line < lines.length; line++) {
      String[] parts = lines[line].split(":", 2);
      if (!parts[0].equalsIgnoreCase("Content-Length")) {
        httpHeaders.put(parts[0].equalsIgnoreCase("Content-Type") ? "Content-Type" : parts[0], parts[1].trim());
      }
    }
    byte[] body = Arrays.copyOfRange(block, end + 4, block.length);
    return new WebPage(url, Integer.parseInt(lines[0].split(" ")[1]), httpHeaders, body);
  }
}
