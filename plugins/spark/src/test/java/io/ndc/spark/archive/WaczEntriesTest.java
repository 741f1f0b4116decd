package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.join;
import static io.ndc.spark.archive.Warcs.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives inside a WACZ, which is a ZIP that strangers wrote. */
class WaczEntriesTest {
  private static final byte[] ONE = join(gzip(page("http://a/1", "one")), gzip(page("http://a/2", "two")));
  private static final byte[] OTHER = page("http://b/", "other");

  @TempDir Path folder;
  private final CollectedReads log = new CollectedReads();

  private static byte[] wacz(boolean isStored) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      add(zip, "datapackage.json", "{}".getBytes(), false);
      add(zip, "archive/one.warc.gz", ONE, isStored);
      add(zip, "archive/other.warc", OTHER, true);
      add(zip, "pages/pages.jsonl", OTHER, true);
      zip.setComment("a comment with PK\5\6 in it");
    }
    return bytes.toByteArray();
  }

  private static void add(ZipOutputStream zip, String name, byte[] bytes, boolean isStored) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (isStored) {
      CRC32 checksum = new CRC32();
      checksum.update(bytes);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(bytes.length);
      entry.setCrc(checksum.getValue());
    }
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  /** The URLs of all pages. */
  private List<String> urls(byte[] file) throws IOException {
    Path path = folder.resolve("file.wacz");
    Files.write(path, file);
    List<String> urls = new ArrayList<>();
    for (ArchiveSplit split : ArchiveListing.of(List.of(folder.toString()), new Configuration(), log).splits(1)) {
      try (ArchiveReader pages = new ArchiveReader(split, new ReadRules(1 << 20, false), log, new Configuration(),
          true)) {
        pages.forEachRemaining(page -> urls.add(page.url()));
      }
    }
    return urls;
  }

  /** The same ZIP with its directory found by the 64-bit records. */
  private static byte[] with64BitEnd(byte[] zip) {
    int end = zip.length - 22 - "a comment with PK\5\6 in it".length();
    ByteBuffer before = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = ByteBuffer.allocate(zip.length + 76).order(ByteOrder.LITTLE_ENDIAN).put(zip, 0, end);
    out.putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45).putInt(0).putInt(0).putLong(4)
        .putLong(4).putLong(before.getInt(end + 12)).putLong(before.getInt(end + 16));
    out.putInt(0x07064b50).putInt(0).putLong(end).putInt(1);
    out.put(zip, end, zip.length - end);
    out.putInt(end + 76 + 12, -1).putInt(end + 76 + 16, -1);
    return out.array();
  }

  @Test
  void theArchivesInItAreRead() throws IOException {
    assertEquals(List.of("http://a/1", "http://a/2", "http://b/"), urls(wacz(true)));
    assertEquals(List.of("http://a/1", "http://a/2", "http://b/"), urls(with64BitEnd(wacz(true))));
    assertEquals(List.of(), log.failed);
  }

  @Test
  void anArchiveThatIsCompressedInItIsNamed() throws IOException {
    assertEquals(List.of("http://b/"), urls(wacz(false)));
    assertEquals(1, log.failed.size());
    assertTrue(log.failed.get(0).contains("archive/one.warc.gz"), log.failed::toString);
  }

  /** The entry of the directory whose name ends so. */
  private static int entry(byte[] zip, String name) {
    String text = new String(zip, StandardCharsets.ISO_8859_1);
    return text.lastIndexOf("PK\1\2", text.lastIndexOf(name));
  }

  @Test
  void anEntryThatIsNotWhatTheDirectorySaysCostsItself() throws IOException {
    byte[] twoSizes = wacz(true);
    ByteBuffer.wrap(twoSizes).order(ByteOrder.LITTLE_ENDIAN).putInt(entry(twoSizes, "one.warc.gz") + 20, 0);
    assertEquals(List.of("http://b/"), urls(twoSizes));
    byte[] moved = wacz(true);
    ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN).putInt(entry(moved, "one.warc.gz") + 42, 1);
    assertEquals(List.of("http://b/"), urls(moved));
    assertEquals(2, log.failed.size(), log.failed::toString);
    assertTrue(log.failed.get(0).contains("archive/one.warc.gz has two sizes"), log.failed::toString);
    assertTrue(log.failed.get(1).contains("archive/one.warc.gz is not where"), log.failed::toString);
  }

  @Test
  void entriesThatOverlapAreRefused() throws IOException {
    byte[] zip = wacz(true);
    ByteBuffer directory = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
    directory.putInt(entry(zip, "other.warc") + 42, directory.getInt(entry(zip, "one.warc.gz") + 42));
    assertEquals(List.of(), urls(zip));
    assertTrue(log.failed.get(0).contains("overlap"), log.failed::toString);
  }

  @Test
  void whatIsNoZipIsToldInALine() throws IOException {
    byte[] whole = wacz(true);
    for (byte[] file : List.of(OTHER, Arrays.copyOf(whole, whole.length - 30), new byte[] {'P'}))
      assertEquals(List.of(), urls(file));
    assertEquals(3, log.failed.size(), log.failed::toString);
  }

  @Test
  void damageIsNoFailureOfTheReader() throws IOException {
    byte[] whole = with64BitEnd(wacz(true));
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = whole.clone();
      for (int j = 0; j < 3; j++) {
        int at = random.nextBoolean() ? random.nextInt(whole.length) : whole.length - 1 - random.nextInt(400);
        damaged[at] = random.nextBoolean() ? (byte) 0xff : (byte) random.nextInt(256);
      }
      urls(damaged);
    }
  }
}
