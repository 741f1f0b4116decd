package io.ndc.spark.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * The WARC files in a WACZ: a ZIP (APPNOTE 6.3, with its 64-bit records) whose folder archive/ holds them, stored as
 * they are, so that each is a stretch of the file. Reads the directory at its end, and a local header for each.
 */
final class WaczEntries {
  static final String SUFFIX = ".wacz";

  private static final String FOLDER = "archive/";
  /** A directory with more bytes is refused; entries have some 100. */
  private static final long MAX_DIRECTORY_BYTES = 256L << 20;

  private static final int END = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int MAX_COMMENT_BYTES = 0xffff;
  private static final int LOCATOR_64 = 0x07064b50;
  private static final int LOCATOR_64_BYTES = 20;
  private static final int END_64 = 0x06064b50;
  private static final int END_64_BYTES = 56;
  private static final int ENTRY = 0x02014b50;
  private static final int ENTRY_BYTES = 46;
  private static final int LOCAL = 0x04034b50;
  private static final int LOCAL_BYTES = 30;
  private static final int ENCRYPTED = 1;
  private static final int EXTRA_64 = 1;
  private static final long NOT_HERE = 0xffffffffL;

  private final String path;
  private final FSDataInputStream in;
  private final long size;
  private final ReadLog log;

  private WaczEntries(String path, FSDataInputStream in, long size, ReadLog log) {
    this.path = path;
    this.in = in;
    this.size = size;
    this.log = log;
  }

  /**
   * The stretches of a file that are WARC files. One that is compressed or encrypted in the ZIP, or is not what its
   * directory says, is logged.
   *
   * @param path of the file
   * @param size of it in bytes
   * @throws IOException if it cannot be read or is no whole ZIP; half a sentence
   */
  static List<ArchiveSplit> of(String path, long size, Configuration configuration, ReadLog log) throws IOException {
    Path file = new Path(path);
    try (FSDataInputStream in = FileSystems.of(file, configuration).open(file)) {
      return new WaczEntries(path, in, size, log).splits();
    }
  }

  private List<ArchiveSplit> splits() throws IOException {
    ByteBuffer directory = directory();
    List<ArchiveSplit> splits = new ArrayList<>();
    boolean hasArchives = false;
    while (directory.remaining() >= ENTRY_BYTES && directory.getInt(directory.position()) == ENTRY) {
      int at = directory.position();
      int nameBytes = directory.getShort(at + 28) & 0xffff;
      int extraBytes = directory.getShort(at + 30) & 0xffff;
      int commentBytes = directory.getShort(at + 32) & 0xffff;
      if (directory.remaining() < ENTRY_BYTES + nameBytes + extraBytes + commentBytes) break;
      String name = new String(directory.array(), at + ENTRY_BYTES, nameBytes, StandardCharsets.UTF_8);
      if (name.startsWith(FOLDER) && !name.endsWith("/")) {
        hasArchives = true;
        ByteBuffer extra = directory.slice(at + ENTRY_BYTES + nameBytes, extraBytes).order(ByteOrder.LITTLE_ENDIAN);
        add(name, directory, at, extra, splits);
      }
      directory.position(at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes);
    }
    if (directory.hasRemaining()) throw new IOException("the directory of its ZIP is damaged");
    refuseOverlaps(splits);
    if (!hasArchives) throw new IOException("has no file in a folder archive/, where a WACZ has its WARC files");
    return splits;
  }

  /** A small file could be read many times over. */
  private static void refuseOverlaps(List<ArchiveSplit> splits) throws IOException {
    List<ArchiveSplit> ordered = new ArrayList<>(splits);
    ordered.sort(Comparator.comparingLong(ArchiveSplit::begin));
    for (int i = 1; i < ordered.size(); i++)
      if (ordered.get(i).begin() < ordered.get(i - 1).end()) throw new IOException("the entries of its ZIP overlap");
  }

  private void add(String name, ByteBuffer directory, int at, ByteBuffer extra, List<ArchiveSplit> splits)
      throws IOException {
    int flags = directory.getShort(at + 8);
    int method = directory.getShort(at + 10);
    long whole = directory.getInt(at + 24) & NOT_HERE;
    long packed = directory.getInt(at + 20) & NOT_HERE;
    long local = directory.getInt(at + 42) & NOT_HERE;
    ByteBuffer numbers = extra64(extra);
    if (whole == NOT_HERE) whole = next(numbers);
    if (packed == NOT_HERE) packed = next(numbers);
    if (local == NOT_HERE) local = next(numbers);
    if (method != 0 || (flags & ENCRYPTED) != 0) {
      tell(name, "is compressed or encrypted in the ZIP; WARC files are stored in a WACZ");
      return;
    }
    if (packed != whole) {
      tell(name, "has two sizes in the directory of its ZIP");
      return;
    }
    ByteBuffer header = read(local, LOCAL_BYTES);
    long begin = local + LOCAL_BYTES + (header.getShort(26) & 0xffff) + (header.getShort(28) & 0xffff);
    if (header.getInt(0) != LOCAL) {
      tell(name, "is not where the directory of its ZIP says");
    } else if (packed < 0 || packed > size - begin) {
      tell(name, "is cut");
    } else if (packed > 0) {
      splits.add(new ArchiveSplit(path, begin, begin + packed));
    }
  }

  private void tell(String name, String fault) {
    log.failedFile(path, VisibleText.of(name + " " + fault));
  }

  private static ByteBuffer extra64(ByteBuffer extra) {
    while (extra.remaining() >= 4) {
      int id = extra.getShort() & 0xffff;
      int bytes = Math.min(extra.getShort() & 0xffff, extra.remaining());
      if (id == EXTRA_64) return extra.slice(extra.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
      extra.position(extra.position() + bytes);
    }
    return ByteBuffer.allocate(0);
  }

  private static long next(ByteBuffer numbers) throws IOException {
    if (numbers.remaining() < Long.BYTES) throw new IOException("the directory of its ZIP lacks a size");
    return numbers.getLong();
  }

  private ByteBuffer directory() throws IOException {
    int tailBytes = (int) Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
    ByteBuffer tail = read(size - tailBytes, tailBytes);
    int at = end(tail, tailBytes, true);
    // Something may have been appended to the ZIP.
    if (at < 0) at = end(tail, tailBytes, false);
    if (at >= 0) {
      long bytes = tail.getInt(at + 12) & NOT_HERE;
      long begin = tail.getInt(at + 16) & NOT_HERE;
      if (bytes != NOT_HERE && begin != NOT_HERE) return directory(begin, bytes);
      ByteBuffer end = end64(size - tailBytes + at);
      return directory(end.getLong(48), end.getLong(40));
    }
    throw new IOException("is no whole ZIP, which a WACZ is");
  }

  /** Where the last record of the ZIP is in its tail, the comment of which ends the file; −1: nowhere. */
  private static int end(ByteBuffer tail, int tailBytes, boolean endsTheFile) {
    for (int at = tailBytes - END_BYTES; at >= 0; at--) {
      if (tail.getInt(at) != END) continue;
      int behind = tailBytes - at - END_BYTES - (tail.getShort(at + 20) & 0xffff);
      if (behind == 0 || (behind > 0 && !endsTheFile)) return at;
    }
    return -1;
  }

  private ByteBuffer end64(long end) throws IOException {
    ByteBuffer locator = read(end - LOCATOR_64_BYTES, LOCATOR_64_BYTES);
    if (locator.getInt(0) != LOCATOR_64) throw new IOException("the directory of its ZIP is damaged");
    ByteBuffer found = read(locator.getLong(8), END_64_BYTES);
    if (found.getInt(0) != END_64) throw new IOException("the directory of its ZIP is damaged");
    return found;
  }

  private ByteBuffer directory(long begin, long bytes) throws IOException {
    if (bytes < 0 || bytes > MAX_DIRECTORY_BYTES)
      throw new IOException("the directory of its ZIP has " + bytes + " bytes; " + MAX_DIRECTORY_BYTES + " are read");
    return read(begin, (int) bytes);
  }

  private ByteBuffer read(long begin, int bytes) throws IOException {
    if (begin < 0 || begin > size - bytes) throw new IOException("the directory of its ZIP leads out of the file");
    byte[] out = new byte[bytes];
    in.readFully(begin, out);
    return ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
  }
}
