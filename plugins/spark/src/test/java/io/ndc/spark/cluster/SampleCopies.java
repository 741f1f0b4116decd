package io.ndc.spark.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Archives of the sample's pages several times over, each time at other hosts. */
final class SampleCopies {
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
  private static final String TARGET = "WARC-Target-URI: http://";
  private static final String LENGTH = "Content-Length: ";

  private record WarcRecord(String head, byte[] block) {
  }

  private SampleCopies() {
  }

  /** The archive in the repository: 150 pages. */
  static Path sample() {
    return Path.of(System.getProperty("ndc.source.directory"), "data", "sample", "documentation.warc.gz");
  }

  /** Writes so many files, of so many copies each, in a folder that is made. */
  static void write(Path folder, int fileCount, int copiesPerFile) throws IOException {
    Files.createDirectories(folder);
    List<WarcRecord> records = records(sample());
    for (int file = 0; file < fileCount; ++file) {
      try (OutputStream out = Files.newOutputStream(folder.resolve("copies-" + file + ".warc.gz"))) {
        for (int copy = 0; copy < copiesPerFile; ++copy) {
          String host = TARGET + "copy-" + (file * copiesPerFile + copy) + "-";
          for (WarcRecord page : records) {
            writeMember(out, page.head().replace(TARGET, host), page.block());
          }
        }
      }
    }
  }

  private static void writeMember(OutputStream out, String head, byte[] block) throws IOException {
    GZIPOutputStream member = new GZIPOutputStream(out);
    member.write(head.getBytes(StandardCharsets.UTF_8));
    member.write(block);
    member.write(HEAD_END);
    member.finish();
  }

  private static List<WarcRecord> records(Path archive) throws IOException {
    byte[] bytes;
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(archive)))) {
      bytes = in.readAllBytes();
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    List<WarcRecord> records = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int blockAt = text.indexOf("\r\n\r\n", at) + HEAD_END.length;
      String head = text.substring(at, blockAt);
      int lengthAt = head.indexOf(LENGTH) + LENGTH.length();
      int length = Integer.parseInt(head.substring(lengthAt, head.indexOf("\r\n", lengthAt)));
      byte[] block = text.substring(blockAt, blockAt + length).getBytes(StandardCharsets.ISO_8859_1);
      if (head.contains(TARGET)) records.add(new WarcRecord(head, block));
      at = blockAt + length + HEAD_END.length;
    }
    return records;
  }
}
