package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.bytes;
import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.join;
import static io.ndc.spark.archive.Warcs.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.ArchiveItem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of archives, whole and in splits, with damage named by its place. */
class ArchiveReaderTest {
  private static final Path SAMPLE_FOLDER =
      Path.of(System.getProperty("ndc.source.directory"), "data", "sample");
  private static final Path SAMPLE = SAMPLE_FOLDER.resolve("documentation.warc.gz");
  private static final int SAMPLE_PAGES = 150;
  private static final byte[] THREE =
      join(gzip(page("http://a/", "a")), gzip(page("http://b/", "b")), gzip(page("http://c/", "c")));

  @TempDir
  Path folder;

  private static CollectedReads read(Path file) {
    return CollectedReads.of(file.toString(), new Configuration(false));
  }

  @Test
  void theSampleGivesItsPagesInOrder() throws Exception {
    Map<String, String> hashes = new HashMap<>();
    for (String line : Files.readAllLines(SAMPLE_FOLDER.resolve("pages.tsv"))) {
      String[] columns = line.split("\t");
      if (!line.startsWith("#")) hashes.put(columns[0], columns[6]);
    }

    CollectedReads reads = read(SAMPLE);
    assertEquals(hashes.keySet(), new HashSet<>(reads.urls()));
    List<Long> offsets = reads.pages.stream().map(ArchiveItem::fileOffset).toList();
    assertEquals(offsets.stream().sorted().toList(), offsets);
    assertEquals(List.of(SAMPLE_PAGES + 1, SAMPLE_PAGES, 1, 0, 0), List.of(
        reads.records, reads.pagesTold, reads.noPages, reads.otherStatuses, reads.truncated));
    assertEquals(List.of(), reads.damages);
    for (ArchiveItem page : reads.pages) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(page.body());
      assertEquals(hashes.get(page.url()), HexFormat.of().formatHex(hash), page.url());
      assertTrue(page.contentType().startsWith("text/html"), page.contentType());
      assertEquals(SAMPLE.toString(), page.file());
    }
  }

  @Test
  void splitsGiveTogetherWhatTheFileGives() throws Exception {
    byte[] gzipped = Files.readAllBytes(SAMPLE);
    for (boolean plain : new boolean[] {false, true}) {
      byte[] archive = plain
          ? new GZIPInputStream(new ByteArrayInputStream(gzipped)).readAllBytes() : gzipped;
      Path file = folder.resolve(plain ? "plain.warc" : "members.warc.gz");
      Files.write(file, archive);
      List<String> whole = read(file).facts();
      assertEquals(SAMPLE_PAGES, whole.size());
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
      OffsetIndex.build(path, 1, new Configuration(false));
      for (long splitBytes : new long[] {1, 100_000, 1_000_000}) {
        CollectedReads log = new CollectedReads();
        List<String> parts = new ArrayList<>();
        List<ArchiveSplit> splits =
            ArchiveListing.of(List.of(file.toString()), new Configuration(false), log).splits(splitBytes);
        for (ArchiveSplit split : splits) {
          CollectedReads reads =
              CollectedReads.of(split, new ReadRules(64 << 20, false), new Configuration(false));
          parts.addAll(reads.facts());
          assertEquals(List.of(), reads.damages);
        }
        assertTrue(splits.size() > (splitBytes == 1 ? SAMPLE_PAGES : 0), splits.size() + " splits");
        assertEquals(whole, parts, splitBytes + " bytes a split");
      }
    }
  }

  @Test
  void damageIsToldWithItsPlace() {
    byte[] archive = THREE.clone();
    int begin = gzip(page("http://a/", "a")).length;
    archive[begin + 40] ^= 0x55;
    CollectedReads reads = CollectedReads.of(archive);
    assertEquals(List.of("http://a/", "http://c/"), reads.urls());
    assertEquals(1, reads.damages.size());
    assertTrue(reads.damages.get(0).contains(".warc " + begin + " the gzip member is damaged"),
        reads.damages::toString);
    assertEquals(2, reads.records);

    CollectedReads plain = CollectedReads.of(
        join(page("http://a/", "a"), bytes("garbage\u0007\r\n"), page("http://b/", "b")));
    assertEquals(List.of("http://a/", "http://b/"), plain.urls());
    assertEquals(1, plain.damages.size());

    byte[] page = page("http://a/", "a");
    CollectedReads inMember = CollectedReads.of(
        gzip(join(
            page, Warcs.record("response", "", bytes("x"), "Content-Type: application/http"))));
    assertTrue(inMember.damages.get(0).endsWith(
        "the record has no WARC-Target-URI (decompressed byte " + page.length + " from there)"),
        inMember.damages::toString);
  }

  @Test
  void aCutLastMemberCostsItself() {
    CollectedReads reads = CollectedReads.of(Arrays.copyOf(THREE, THREE.length - 20));
    assertEquals(List.of("http://a/", "http://b/"), reads.urls());
    assertEquals(1, reads.damages.size());
    assertTrue(reads.damages.get(0).endsWith("the gzip member is cut by the end of the file"),
        reads.damages::toString);
  }

  @Test
  void aHugeContentLengthCostsItself() {
    byte[] huge = bytes("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://huge/\r\n"
        + "Content-Length: 9223372036854775807\r\n\r\nx\r\n\r\n");
    byte[] plain = join(page("http://a/", "a"), page("http://b/", "b"), page("http://c/", "c"));
    for (byte[] archive : List.of(join(gzip(huge), THREE), join(huge, plain))) {
      CollectedReads reads = CollectedReads.of(archive);
      assertEquals(List.of("http://a/", "http://b/", "http://c/"), reads.urls());
      assertEquals(1, reads.damages.size());
    }
  }

  @Test
  void whatIsNoArchiveIsTold() {
    CollectedReads reads =
        CollectedReads.of(bytes("This is a text about archives, and no archive.\n".repeat(50_000)));
    assertEquals(List.of(), reads.urls());
    assertEquals(List.of(), reads.damages);
    assertEquals(1, reads.failed.size());
    assertTrue(reads.failed.get(0).endsWith(" looks like plain text, not like an archive of pages"),
        reads.failed::toString);
  }

  @Test
  void aRevisitHasThePageOfItsStretch() {
    byte[] revisit = gzip(Warcs.record("revisit", "http://a/", bytes("HTTP/1.1 200 OK\r\n\r\n"),
        "WARC-Date: 2025-05-06T07:08:09Z", "WARC-Refers-To-Target-URI: http://a/",
        "WARC-Refers-To-Date: 2024-05-06T07:08:09Z"));
    byte[] archive = join(THREE, revisit);
    CollectedReads whole = CollectedReads.of(archive);
    assertEquals(List.of("http://a/", "http://b/", "http://c/", "http://a/"), whole.urls());
    assertEquals("a", CollectedReads.body(whole.pages.get(3)));
    CollectedReads part = CollectedReads.of(new ArchiveSplit(MemoryFiles.add(archive), THREE.length, Long.MAX_VALUE),
        new ReadRules(1000, false), MemoryFiles.configuration());
    assertEquals(List.of(1, 1, 0), List.of(part.records, part.noPages, part.pages.size()));
  }

  @Test
  void theLimitOfAPageIsChecked() {
    assertThrows(IllegalArgumentException.class, () -> new ReadRules(0, false));
    assertThrows(IllegalArgumentException.class, () -> new ReadRules((1L << 30) + 1, false));
  }

  @Test
  void filesThatCannotBeOpenedAreTold() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.warc"));
    assertEquals(List.of(empty + " is empty"), read(empty).failed);
    Path missing = folder.resolve("missing.warc");
    assertTrue(read(missing).failed.get(0).startsWith(missing + " FileNotFoundException: "));
    assertTrue(read(folder).failed.get(0).endsWith(" is a folder"));
    assertTrue(read(Path.of("unheard-of:x")).failed.size() == 1);

    String forbidden = MemoryFiles.forbid("memory:/forbidden.warc");
    CollectedReads log = new CollectedReads();
    ArchiveSplit split = new ArchiveSplit(forbidden, 0, Long.MAX_VALUE);
    // Not the last attempt: every machine would be refused.
    try (ArchiveReader reader =
        new ArchiveReader(split, new ReadRules(1000, false), log, MemoryFiles.configuration(), false)) {
      assertFalse(reader.hasNext());
      assertThrows(NoSuchElementException.class, reader::next);
    }
    assertEquals(List.of(forbidden + " AccessControlException: Permission denied: " + forbidden), log.failed);
  }

  @Test
  void aSplitBehindTheEndIsTold() {
    String path = MemoryFiles.add(THREE);
    CollectedReads reads = CollectedReads.of(new ArchiveSplit(path, THREE.length, Long.MAX_VALUE),
        new ReadRules(1000, false), MemoryFiles.configuration());
    assertEquals(List.of(path + " ends before byte " + THREE.length), reads.failed);
  }

  private static String failing(int failAt, IOException failure) {
    return MemoryFiles.add(THREE.length, MemoryFiles.failing(THREE, failAt, failure));
  }

  private static ArchiveReader reader(String path, ReadLog log, boolean lastAttempt) {
    return new ArchiveReader(new ArchiveSplit(path, 0, Long.MAX_VALUE), new ReadRules(1000, false), log,
        MemoryFiles.configuration(), lastAttempt);
  }

  @Test
  void aFailingStorageIsNoDamage() {
    for (int failAt = 0; failAt < THREE.length; failAt += 11) {
      String path = failing(failAt, new IOException("disk\u0007on fire"));
      CollectedReads log = new CollectedReads();
      try (ArchiveReader reader = reader(path, log, false)) {
        UncheckedIOException thrown =
            assertThrows(UncheckedIOException.class, () -> reader.forEachRemaining(log.pages::add));
        assertTrue(thrown.getMessage().contains(path), thrown::getMessage);
        assertTrue(thrown.getMessage().endsWith("IOException: disk\\u0007on fire"), thrown::getMessage);
        assertEquals("disk\u0007on fire", thrown.getCause().getCause().getMessage());
        assertThrows(UncheckedIOException.class, reader::hasNext, "it is told each time");
      }
      assertEquals(List.of(), log.failed);
      assertEquals(List.of(), log.damages, "fails at " + failAt);
    }
  }

  @Test
  void onTheLastAttemptAFailingStorageIsTold() {
    String path = failing(THREE.length - 30, new IOException("disk on fire"));
    CollectedReads reads = CollectedReads.of(path, MemoryFiles.configuration());
    assertEquals(List.of("http://a/", "http://b/"), reads.urls());
    assertEquals(
        List.of(path + " cannot be read from byte " + (THREE.length - 30) + " on: IOException: disk on fire"),
        reads.failed);
    assertEquals(List.of(), reads.damages);
  }

  @Test
  void anInterruptedReadIsThrownOnTheLastAttemptToo() {
    CollectedReads log = new CollectedReads();
    try (ArchiveReader reader = reader(failing(100, new InterruptedIOException("killed")), log, true)) {
      assertThrows(UncheckedIOException.class, reader::hasNext);
    }
    assertEquals(List.of(), log.failed);
  }

  @Test
  void aClosedReaderHasNoPages() {
    CollectedReads log = new CollectedReads();
    ArchiveReader reader = reader(MemoryFiles.add(THREE), log, true);
    reader.next();
    reader.close();
    reader.close();
    assertFalse(reader.hasNext());
    assertEquals(1, log.pagesTold);
  }

  @Test
  void textOfMessagesIsVisibleAndShort() {
    assertEquals("a\\u0000b\\u001B[1m\\u202E\\uD800é", VisibleText.of("a\0b\u001b[1m\u202e\ud800é"));
    String cut = VisibleText.of("\ud83d\ude00".repeat(150));
    assertEquals(VisibleText.LIMIT - 1, cut.length());
    assertEquals(cut, new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    assertEquals("x".repeat(200), VisibleText.of("x".repeat(200)));
    assertEquals("x".repeat(197) + "...", VisibleText.of("x".repeat(201)));
    assertEquals("null", VisibleText.of(null));
  }
}
