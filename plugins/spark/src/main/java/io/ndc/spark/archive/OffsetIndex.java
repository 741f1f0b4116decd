package io.ndc.spark.archive;

import io.ndc.Archive;
import io.ndc.ArchiveItem;
import io.ndc.CorruptException;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Where records begin in an archive, so that several tasks can read it: the file {@code ARCHIVE.offsets}
 * beside the archive. Its text is a line "ndc-offsets 1 SIZE", SIZE being the archive's in bytes, and a line
 * with a decimal number for each offset, ascending. Of a plain archive these are offsets of records, of a
 * gzip archive those of members with which a record begins. Immutable.
 */
public final class OffsetIndex {
  /** What the name of an index has behind the archive's. */
  public static final String SUFFIX = ".offsets";

  private static final String HEADER = "ndc-offsets 1 ";
  // A gigabyte of archive has a hundred lines or so; this is enough for 40 TB.
  private static final long MAX_INDEX_BYTES = 64L << 20;
  private static final int MAX_LINE_BYTES = 64;
  // A damaged record of a plain file whose length is larger costs the offsets up to where it ends.
  private static final ReadRules READ = new ReadRules(64 << 20, false);

  private final long archiveBytes;
  private final long[] offsets;

  private OffsetIndex(long archiveBytes, long[] offsets) {
    this.archiveBytes = archiveBytes;
    this.offsets = offsets;
  }

  /**
   * Reads an archive, once and from its start to its end, and writes its index, over an older one. The index
   * appears when it is whole.
   *
   * @param archive not null
   * @param stepBytes between two offsets of the index lie at least so many bytes, and at most so many and a
   *     record, as far as records can be found; at least 1
   * @param configuration of Hadoop's file systems; not null
   * @throws IOException if the archive cannot be read or is empty, or if the index cannot be written
   */
  public static OffsetIndex build(Path archive, long stepBytes, Configuration configuration)
      throws IOException {
    if (stepBytes < 1) throw new IllegalArgumentException("offsets every " + stepBytes + " bytes");
    try (StorageInput input =
            new StorageInput(new ArchiveSplit(archive.toString(), 0, Long.MAX_VALUE), configuration);
        Archive opened = input.open(READ)) {
      if (!opened.files().equals(List.of(archive.toString())))
        throw new IOException("is a WACZ: tasks share its files, not their records");
      OffsetIndex index = new OffsetIndex(input.size(), offsets(opened, stepBytes));
      if (index.offsets.length == 0) throw new IOException("no whole record begins in it");
      index.write(archive, configuration);
      return index;
    } catch (CorruptException none) {
      throw new IOException(none.getMessage(), none);
    } catch (FSError failed) {
      throw new IOException(failed);
    }
  }

  private static long[] offsets(Archive archive, long stepBytes) throws IOException {
    long[] offsets = new long[64];
    int count = 0;
    boolean isSeparate = true;
    for (ArchiveItem item = archive.next(); item != null; item = archive.next()) {
      // What is before it must be the same when the file ends here. Damage is reported to whoever reads the archive.
      boolean begins = isSeparate && item.isRecord();
      isSeparate = item.isSeparate();
      boolean isFar = count == 0 || item.fileOffset() - offsets[count - 1] >= stepBytes;
      if (!begins || !isFar || item.memberOffset() > 0) continue;
      if (count == offsets.length) offsets = Arrays.copyOf(offsets, 2 * count);
      offsets[count++] = item.fileOffset();
    }
    return Arrays.copyOf(offsets, count);
  }

  private void write(Path archive, Configuration configuration) throws IOException {
    FileSystem system = archive.getFileSystem(configuration);
    Path target = system.makeQualified(pathFor(archive));
    requireNothingElse(system, target);
    StringBuilder text = new StringBuilder(HEADER).append(archiveBytes).append('\n');
    for (long offset : offsets)
      text.append(offset).append('\n');
    UnfinishedFile.write(system, target, text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** An older index is written over; an archive that happens to have its name is not. */
  private static void requireNothingElse(FileSystem system, Path target) throws IOException {
    byte[] begin = HEADER.getBytes(StandardCharsets.US_ASCII);
    try (FSDataInputStream in = system.open(target)) {
      byte[] found = in.readNBytes(begin.length);
      if (found.length > 0 && !Arrays.equals(found, begin))
        throw new IOException(target + " is there and no index of offsets");
    } catch (FileNotFoundException none) {
      // Nothing is written over.
    }
  }

  /**
   * Reads the index of an archive.
   *
   * @param archive not null
   * @param archiveBytes the size of the archive now
   * @param configuration of Hadoop's file systems; not null
   * @param log receives, as for a failed file, that an index is there and why it is of no use; not null
   * @return empty if there is none that can be used
   */
  public static Optional<OffsetIndex> read(
      Path archive, long archiveBytes, Configuration configuration, ReadLog log) {
    Path path = pathFor(archive);
    try {
      FileSystem system = path.getFileSystem(configuration);
      FileStatus status = system.getFileStatus(path);
      if (status.getLen() > MAX_INDEX_BYTES)
        throw new MalformedIndex("has more than " + MAX_INDEX_BYTES + " bytes");
      try (BufferedReader in =
          new BufferedReader(new InputStreamReader(system.open(path), StandardCharsets.US_ASCII))) {
        return Optional.of(parse(in, archiveBytes));
      }
    } catch (FileNotFoundException none) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException | FSError unusable) {
      String reason = unusable instanceof MalformedIndex ? unusable.getMessage() : unusable.toString();
      log.failedFile(path.toString(), VisibleText.of("the index is not used: " + reason));
      return Optional.empty();
    }
  }

  private static OffsetIndex parse(BufferedReader in, long archiveBytes) throws IOException {
    String first = line(in);
    if (first == null || !first.startsWith(HEADER))
      throw new MalformedIndex("is no index of offsets, version 1");
    long size = decimal(first.substring(HEADER.length()));
    if (size != archiveBytes) throw new MalformedIndex("is of an archive of another size");
    long[] offsets = new long[64];
    int count = 0;
    long last = -1;
    for (String line = line(in); line != null; line = line(in)) {
      long offset = decimal(line);
      if (offset <= last || offset >= archiveBytes)
        throw new MalformedIndex("line " + (count + 2) + " is malformed");
      if (count == offsets.length) offsets = Arrays.copyOf(offsets, 2 * count);
      offsets[count++] = offset;
      last = offset;
    }
    return new OffsetIndex(size, Arrays.copyOf(offsets, count));
  }

  // Null at the end. A last line without its end may be a cut number.
  private static String line(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 && line.length() == 0) return null;
      if (c < 0) throw new MalformedIndex("is cut");
      if (line.length() == MAX_LINE_BYTES)
        throw new MalformedIndex("has a line of more than " + MAX_LINE_BYTES + " bytes");
      line.append((char) c);
    }
    return line.toString();
  }

  // −1: it is none.
  private static long decimal(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }

  private static Path pathFor(Path archive) {
    return archive.suffix(SUFFIX);
  }

  /** Ascending, below the archive's size. Not copied. */
  long[] offsets() {
    return offsets;
  }

  /** An index that is not what {@link #build} writes. */
  private static final class MalformedIndex extends IOException {
    private static final long serialVersionUID = 1;

    MalformedIndex(String reason) {
      super(reason);
    }
  }
}
