package io.ndc.spark.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.ArchiveItem;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records of more than 2 GiB, read by a process with a heap of 48 MiB, and pages of 1 MiB. */
class LargeRecordTest {
  private static final long BLOCK_BYTES = (1L << 31) + 12_345;
  private static final int PIECE_BYTES = 1 << 20;
  private static final byte[] NEXT = Warcs.page("http://next/", "next");

  /** A plain file that is never in memory. */
  private static CollectedReads plain() {
    byte[] head = head();
    byte[] tail = Warcs.join(Warcs.bytes("\r\n\r\n"), NEXT);
    long size = head.length + BLOCK_BYTES + tail.length;
    return read(MemoryFiles.add(size, (position, out, offset, count) -> {
      if (position < head.length) return copy(head, (int) position, out, offset, count);
      long behind = position - head.length - BLOCK_BYTES;
      if (behind >= 0) return copy(tail, (int) behind, out, offset, count);
      int given = (int) Math.min(count, -behind);
      Arrays.fill(out, offset, offset + given, (byte) 'x');
      return given;
    }));
  }

  /** The same in a gzip member, of deflate blocks that are the same over and over. */
  private static CollectedReads gzip() {
    byte[] zeros = new byte[PIECE_BYTES];
    long pieces = BLOCK_BYTES / PIECE_BYTES;
    byte[] start = Warcs.join(head(), new byte[(int) (BLOCK_BYTES - pieces * PIECE_BYTES)]);
    CRC32 check = new CRC32();
    check.update(start);
    for (long i = 0; i < pieces; i++)
      check.update(zeros);
    byte[] end = Warcs.bytes("\r\n\r\n");
    check.update(end);
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    byte[] first =
        Warcs.join(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0}, deflate(deflater, start, false));
    byte[] middle = deflate(deflater, zeros, false);
    byte[] last = deflate(deflater, end, true);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt((int) check.getValue()).putInt((int) (start.length + pieces * PIECE_BYTES + end.length));
    byte[] tail = Warcs.join(last, trailer.array(), Warcs.gzip(NEXT));
    long middleBytes = middle.length * pieces;
    return read(MemoryFiles.add(first.length + middleBytes + tail.length, (position, out, offset, count) -> {
      if (position < first.length) return copy(first, (int) position, out, offset, count);
      long inMiddle = position - first.length;
      if (inMiddle < middleBytes) return copy(middle, (int) (inMiddle % middle.length), out, offset, count);
      return copy(tail, (int) (inMiddle - middleBytes), out, offset, count);
    }));
  }

  private static byte[] head() {
    return Warcs.bytes("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://large/\r\n"
        + "Content-Type: text/plain\r\nContent-Length: " + BLOCK_BYTES + "\r\n\r\n");
  }

  private static int copy(byte[] from, int begin, byte[] out, int offset, int count) {
    int given = Math.min(count, from.length - begin);
    System.arraycopy(from, begin, out, offset, given);
    return given;
  }

  // Ends at a byte and depends on nothing before, so that pieces can be repeated.
  private static byte[] deflate(Deflater deflater, byte[] bytes, boolean last) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[PIECE_BYTES];
    deflater.setInput(bytes);
    if (last) deflater.finish();
    for (int count = 1; count > 0;) {
      count = deflater.deflate(chunk, 0, chunk.length, last ? Deflater.NO_FLUSH : Deflater.FULL_FLUSH);
      out.write(chunk, 0, count);
    }
    return out.toByteArray();
  }

  private static CollectedReads read(String path) {
    return CollectedReads.of(new ArchiveSplit(path, 0, Long.MAX_VALUE), new ReadRules(PIECE_BYTES, false),
        MemoryFiles.configuration());
  }

  /** What the process says of its pages. */
  public static void main(String[] arguments) {
    CollectedReads reads = arguments[0].equals("plain") ? plain() : gzip();
    for (ArchiveItem page : reads.pages)
      System.out.println(page.url() + " " + page.body().length + " " + page.isTruncated());
    reads.damages.forEach(System.out::println);
    reads.failed.forEach(System.out::println);
  }

  private static void assertRead(String form) throws Exception {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx48m", "-cp",
        System.getProperty("java.class.path"), LargeRecordTest.class.getName(), form));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines =
          said.lines().filter(line -> !line.contains("WARN") && !line.startsWith("SLF4J")).toList();
      assertEquals(List.of("http://large/ " + PIECE_BYTES + " true", "http://next/ 4 false"), lines, said);
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aPlainRecordOfTwoGigabytesIsNotHeld() throws Exception {
    assertRead("plain");
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aCompressedRecordOfTwoGigabytesIsNotHeld() throws Exception {
    assertRead("gzip");
  }
}
