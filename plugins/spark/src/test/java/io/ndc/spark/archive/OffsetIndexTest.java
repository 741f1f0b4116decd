package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.join;
import static io.ndc.spark.archive.Warcs.page;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index of places where a split may begin to read, which damage must not lead astray. */
class OffsetIndexTest {
  private static final byte[] A = page("http://a/", "a");
  private static final byte[] B = page("http://b/", "b");
  private static final byte[] C = page("http://c/", "c");

  @TempDir
  Path folder;

  private final Configuration configuration = new Configuration(false);
  private final CollectedReads log = new CollectedReads();
  private Path archive;
  private org.apache.hadoop.fs.Path path;

  @BeforeEach
  void name() {
    archive = folder.resolve("a.warc");
    path = new org.apache.hadoop.fs.Path(archive.toUri());
  }

  private long[] build(byte[] bytes, long stepBytes) throws IOException {
    Files.write(archive, bytes);
    return OffsetIndex.build(path, stepBytes, configuration);
  }

  private long[] read(long archiveBytes) {
    return OffsetIndex.read(path, archiveBytes, configuration, log);
  }

  @Test
  void offsetsOfPlainRecordsAreWrittenAndRead() throws IOException {
    byte[] bytes = join(A, B, C);
    assertArrayEquals(new long[] {0, A.length, A.length + B.length}, build(bytes, 1));
    String text = Files.readString(folder.resolve("a.warc.offsets"));
    assertEquals("ndc-offsets 1 " + bytes.length + "\n0\n" + A.length + "\n" + (A.length + B.length) + "\n",
        text);
    assertArrayEquals(new long[] {0, A.length, A.length + B.length},
        read(bytes.length));
    assertEquals(List.of(), log.failed);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(".a.warc.offsets.crc", "a.warc", "a.warc.offsets"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void ofAGzipFileOnlyMembersCountWithWhichARecordBegins() throws IOException {
    byte[] start = gzip(join(A, B));
    int middle = C.length / 2;
    byte[] head = gzip(Arrays.copyOf(C, middle));
    byte[] tail = gzip(join(Arrays.copyOfRange(C, middle, C.length), B));
    long[] index = build(join(start, head, tail, gzip(A)), 1);
    assertArrayEquals(new long[] {0, start.length, start.length + head.length + tail.length}, index);
    assertArrayEquals(new long[] {0, start.length}, build(join(start, head, tail), 1));
  }

  @Test
  void offsetsLieAStepApart() throws IOException {
    byte[] bytes = join(A, B, C, A, B, C);
    assertArrayEquals(new long[] {0, A.length + B.length, 4 * A.length},
        build(bytes, A.length + 1));
  }

  @Test
  void damageAndWhatIsRightBehindItHaveNoOffset() throws IOException {
    byte[] damaged = gzip(B);
    damaged[40] ^= 0x55;
    long[] index = build(join(gzip(A), damaged, gzip(C), gzip(A)), 1);
    assertArrayEquals(new long[] {0, gzip(A).length + damaged.length + gzip(C).length}, index);
  }

  @Test
  void aRecordThatOnlyTheNextOneEndsIsNotSeparatedFromIt() throws IOException {
    byte[] unended = Arrays.copyOf(A, A.length - 4);
    byte[] wrongLine = join(unended, Warcs.bytes("xx\r\n"));
    assertArrayEquals(new long[] {0}, build(join(unended, B), 1));
    assertArrayEquals(new long[] {0}, build(join(wrongLine, B), 1));
    assertArrayEquals(new long[] {0, A.length}, build(join(A, wrongLine, B), 1));
  }

  @Test
  void anOlderIndexIsReplaced() throws IOException {
    build(A, 1);
    build(join(A, B), 1);
    assertEquals(2, read(A.length + B.length).length);
    assertEquals(List.of(), log.failed);
  }

  @Test
  void whatIsNoIndexIsNotReplaced() throws IOException {
    Path other = folder.resolve("a.warc.offsets");
    Files.write(other, B);
    IOException refused = assertThrows(IOException.class, () -> build(join(A, B), 1));
    assertTrue(refused.getMessage().endsWith("a.warc.offsets is there and no index of offsets"), refused.getMessage());
    assertArrayEquals(B, Files.readAllBytes(other));
  }

  @Test
  void whatAKilledProcessHasLeftGoesAndThatOfALivingOneStays() throws IOException {
    String machine = InetAddress.getLocalHost().getHostName();
    Process gone = new ProcessBuilder("true").start();
    assertDoesNotThrow(() -> gone.waitFor());
    long living = ProcessHandle.of(1).isPresent() ? 1 : ProcessHandle.current().parent().orElseThrow().pid();
    String start = ".a.warc.offsets.ndc-unfinished-";
    List<String> staying = List.of(start + machine + "-" + living, start + "another-machine-" + gone.pid());
    for (String name : staying)
      Files.writeString(folder.resolve(name), "ndc-off");
    Path left = Files.writeString(folder.resolve(start + machine + "-" + gone.pid()), "ndc-off");
    build(join(A, B), 1);
    assertFalse(Files.exists(left));
    for (String name : staying)
      assertTrue(Files.exists(folder.resolve(name)), name);
  }

  @Test
  void noIndexIsNoFault() {
    assertEquals(0, read(5).length);
    assertEquals(List.of(), log.failed);
  }

  @Test
  void anIndexThatIsWrongIsRefusedWithAReason() throws IOException {
    record Case(String text, String reason) {}

    for (Case wrong : List.of(
        new Case("ndc-offsets 1 99\n0\n", "is of an archive of another size"),
        new Case("ndc-offsets 1 x\n0\n", "is of an archive of another size"),
        new Case("ndc-offsets 2 100\n0\n", "is no index of offsets, version 1"),
        new Case("", "is no index of offsets, version 1"),
        new Case("ndc-offsets 1 100\n0\n5\n5\n", "line 4 is malformed"),
        new Case("ndc-offsets 1 100\n0\n100\n", "line 3 is malformed"),
        new Case("ndc-offsets 1 100\n-1\n", "line 2 is malformed"),
        new Case("ndc-offsets 1 100\n0\n\n7\n", "line 3 is malformed"),
        new Case("ndc-offsets 1 100\n0\n12", "is cut"),
        new Case("ndc-offsets 1 100", "is cut"),
        new Case("x".repeat(1000), "is no index of offsets, version 1"))) {
      Files.writeString(folder.resolve("a.warc.offsets"), wrong.text());
      assertEquals(0, read(100).length, wrong.text());
      String told = log.failed.remove(0);
      assertTrue(told.contains("a.warc.offsets the index is not used: " + wrong.reason()), told);
    }
  }

  @Test
  void whatCannotBeReadHasNoIndex() throws IOException {
    assertThrows(IOException.class, () -> OffsetIndex.build(path, 1, configuration));
    assertThrows(IOException.class, () -> build(new byte[0], 1));
    byte[] text = Warcs.bytes("a text\n");
    for (byte[] none : List.of(text, gzip(text), Warcs.bytes("\u001f\u008bno gzip")))
      assertThrows(IOException.class, () -> build(none, 1));
    assertEquals(0, read(7).length);
    byte[] bytes = gzip(A);
    String failing =
        MemoryFiles.add(bytes.length, MemoryFiles.failing(bytes, 60, new IOException("disk on fire")));
    IOException failure = assertThrows(IOException.class, () -> OffsetIndex.build(
        new org.apache.hadoop.fs.Path(failing), 1, MemoryFiles.configuration()));
    assertEquals("disk on fire", failure.getMessage());
  }

  private String run(int code, String... arguments) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(messages, true, StandardCharsets.UTF_8);
    assertEquals(code, NdOffsets.run(arguments, configuration, stream));
    return messages.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theProgramGoesOnBehindAFileThatFails() throws IOException {
    Files.write(archive, join(A, B));
    configuration.set("fs.absent.impl", "no.such.FileSystem");
    String messages = run(1, folder.resolve("missing.warc").toString(), "absent:/x.warc", archive.toString());
    assertTrue(messages.contains("missing.warc: FileNotFoundException: "), messages);
    assertTrue(messages.contains("\nabsent:/x.warc: IOException: its file system lacks a class"), messages);
    assertTrue(messages.endsWith("a.warc: 1 offsets\n"), messages);
    assertTrue(read(A.length + B.length).length > 0);
    assertEquals(archive + ": 1 offsets\n", run(0, archive.toString()));
  }

  @Test
  void theProgramTakesWhatSparkWasToldOfHadoop() {
    System.setProperty("spark.hadoop.fs.absent.impl", "no.such.FileSystem");
    try {
      assertEquals("no.such.FileSystem", NdOffsets.configuration().get("fs.absent.impl"));
    } finally {
      System.clearProperty("spark.hadoop.fs.absent.impl");
    }
  }

  @Test
  void theProgramSaysHowItIsUsed() {
    assertTrue(run(2).startsWith("usage: NdOffsets ARCHIVE..."));
    assertTrue(run(2, "--help").startsWith("usage: "));
  }
}
