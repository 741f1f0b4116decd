package io.ndc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Archives whose bytes a Java callback reads: pages, damage, and failures that reach the caller. */
class ArchiveTest {
  private static final String FIRST = page("http://a/", "a");
  private static final byte[] TWO = bytes(FIRST + page("http://b/", "b"));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String page(String url, String body) {
    return "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: " + url + "\r\nContent-Type: text/plain\r\n"
        + "WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: " + body.length() + "\r\n\r\n" + body + "\r\n\r\n";
  }

  private static Archive.Bytes of(byte[] file) {
    return (offset, out, size) -> {
      int count = (int) Math.min(size, file.length - offset);
      System.arraycopy(file, (int) offset, out, 0, Math.max(0, count));
      return count;
    };
  }

  private static Archive open(byte[] file) throws IOException {
    return Archive.open("stored.warc", of(file), 0, file.length, 1 << 20, false);
  }

  private static List<ArchiveItem> read(byte[] file) throws IOException {
    List<ArchiveItem> items = new ArrayList<>();
    try (Archive archive = open(file)) {
      for (ArchiveItem item = archive.next(); item != null; item = archive.next())
        items.add(item);
      assertNull(archive.next());
    }
    return items;
  }

  @Test
  void anItemSaysWhatItIs() throws IOException {
    List<ArchiveItem> items = read(TWO);
    assertEquals(2, items.size());
    ArchiveItem second = items.get(1);
    assertEquals(ArchiveItem.Kind.PAGE, second.kind());
    assertEquals("stored.warc", second.file());
    assertEquals(FIRST.length(), second.fileOffset());
    assertEquals("http://b/", second.url());
    assertEquals("text/plain", second.contentType());
    assertEquals(1714979289000L, second.fetchedAtMs());
    assertArrayEquals(bytes("b"), second.body());
    assertTrue(second.isRecord() && second.isSeparate());
    assertFalse(second.isTruncated() || second.isRevisit());
    ArchiveItem damage = read(bytes(FIRST + "junk\r\n" + FIRST)).get(1);
    assertEquals(ArchiveItem.Kind.DAMAGE, damage.kind());
    assertEquals("no WARC record begins here", damage.reason());
    assertFalse(damage.isRecord());
    assertEquals(ArchiveItem.LeftOut.NO, damage.leftOut());
  }

  @Test
  void whatIsLeftOutSaysWhy() throws IOException {
    String revisit = FIRST.replace("WARC-Type: resource", "WARC-Type: revisit");
    assertEquals(ArchiveItem.LeftOut.LOST_REVISIT, read(bytes(revisit)).get(0).leftOut());
    String image = FIRST.replace("Content-Type: text/plain", "Content-Type: image/png");
    ArchiveItem left = read(bytes(image)).get(0);
    assertEquals(ArchiveItem.LeftOut.OTHER, left.leftOut());
    assertEquals("image", left.reason());
  }

  @Test
  void urlsThatAreNoUtf8StayDifferent() throws IOException {
    // UTF-8: é, 😀.
    assertEquals("http://a/\u00e9\ud83d\ude00", url("http://a/\u00c3\u00a9\u00f0\u009f\u0098\u0080"));
    assertEquals("http://a/%E9", url("http://a/\u00e9"));
    assertEquals("http://a/%E8", url("http://a/\u00e8"));
    assertEquals("x%FFx%C0%80%ED%A0%80%F0%9F%98", url("x\u00ffx\u00c0\u0080\u00ed\u00a0\u0080\u00f0\u009f\u0098"));
    assertEquals("http://a/\ufffd", url("http://a/\u00ef\u00bf\u00bd"));
  }

  private static String url(String written) throws IOException {
    return read(bytes(page(written, "x"))).get(0).url();
  }

  @Test
  void whatTheBytesThrowIsThrown() throws IOException {
    for (Throwable failure : List.of(new IOException("disk on fire"), new IllegalStateException("closed"),
        new StackOverflowError())) {
      for (int failAt : new int[] {0, FIRST.length() + 5}) {
        Archive.Bytes bytes = (offset, out, size) -> {
          if (offset >= failAt) throwAny(failure);
          return of(TWO).read(offset, out, (int) Math.min(size, failAt - offset));
        };
        if (failAt == 0) {
          assertSame(failure, assertThrows(Throwable.class, () -> Archive.open("a", bytes, 0, TWO.length, 9, false)));
          continue;
        }
        try (Archive archive = Archive.open("a", bytes, 0, TWO.length, 9, false)) {
          assertEquals("http://a/", archive.next().url());
          for (int again = 0; again < 2; again++)
            assertSame(failure, assertThrows(Throwable.class, archive::next));
        }
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAny(Throwable failure) throws T {
    throw (T) failure;
  }

  @Test
  void moreThanWasAskedForIsRefused() {
    assertThrows(InternalException.class,
        () -> Archive.open("a", (offset, out, size) -> size + 1, 0, TWO.length, 9, false));
  }

  @Test
  void theSizeNeedNotBeKnown() throws IOException {
    try (Archive archive = Archive.open("a", of(TWO), 0, Long.MAX_VALUE, 9, false)) {
      assertEquals("http://a/", archive.next().url());
      assertEquals("http://b/", archive.next().url());
      assertNull(archive.next());
    }
    try (Archive archive = Archive.open("a", of(TWO), 0, 1000, 9, false)) {
      archive.next();
      archive.next();
      ArchiveItem damage = archive.next();
      assertEquals(ArchiveItem.Kind.DAMAGE, damage.kind());
      assertEquals("the file ends at byte " + TWO.length + ", before byte 1000", damage.reason());
      assertNull(archive.next());
    }
  }

  @Test
  void aClosedArchiveIsClosed() throws IOException {
    Archive archive = open(TWO);
    archive.close();
    archive.close();
    assertThrows(ClosedException.class, archive::next);
    assertThrows(ClosedException.class, archive::files);
    assertThrows(ClosedException.class, () -> archive.select(0));
  }

  private interface Use {
    void of(Archive archive) throws IOException;
  }

  // Opens an archive that its own bytes use.
  private static Archive usedByItsBytes(Use use) throws IOException {
    Archive[] opened = {null};
    opened[0] = Archive.open("a", (offset, out, size) -> {
      if (opened[0] != null) use.of(opened[0]);
      return of(TWO).read(offset, out, size);
    }, 0, TWO.length, 9, false);
    return opened[0];
  }

  @Test
  void theBytesCannotUseTheArchiveThatReadsThem() throws IOException {
    for (Use use : List.<Use>of(Archive::files, Archive::next, archive -> archive.select(0))) {
      try (Archive archive = usedByItsBytes(use)) {
        assertThrows(IllegalStateException.class, archive::next);
      }
    }
  }

  @Test
  void theBytesMayCloseTheArchive() throws IOException {
    Archive archive = usedByItsBytes(Archive::close);
    assertEquals("http://a/", archive.next().url());
    ClosedException closed = assertThrows(ClosedException.class, archive::next);
    assertEquals("this archive is closed; open another one", closed.getMessage());
    archive.close();
  }

  @Test
  void argumentsAreChecked() throws IOException {
    assertThrows(InvalidArgumentException.class, () -> Archive.open("a", of(TWO), -1, 5, 9, false));
    assertThrows(InvalidArgumentException.class, () -> Archive.open("a", of(TWO), 6, 5, 9, false));
    assertThrows(InvalidArgumentException.class, () -> Archive.open("a", of(TWO), 0, 5, 0, false));
    assertThrows(InvalidArgumentException.class, () -> Archive.open("a", of(TWO), 0, 5, 1L << 31, false));
    assertThrows(InvalidArgumentException.class, () -> Archive.open("a\0b", of(TWO), 0, 5, 9, false));
    assertThrows(NullPointerException.class, () -> Archive.open("a", null, 0, 5, 9, false));
    CorruptException none = assertThrows(CorruptException.class, () -> open(bytes("%PDF-1.7")));
    assertEquals("looks like a PDF file, not like an archive of pages", none.getMessage());
    try (Archive archive = open(TWO)) {
      assertEquals(List.of("stored.warc"), archive.files());
      assertThrows(NotFoundException.class, () -> archive.select(1));
      assertThrows(NotFoundException.class, () -> archive.select(-1));
      archive.select(0);
      archive.next();
      assertThrows(InvalidArgumentException.class, () -> archive.select(0));
    }
  }
}
