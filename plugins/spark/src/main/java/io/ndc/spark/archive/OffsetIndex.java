package io.ndc.spark.archive;

import io.ndc.Archive;
import io.ndc.ArchiveItem;
import io.ndc.CorruptException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
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
 * gzip archive those of members with which a record begins.
 */
public final class OffsetIndex {
  /** What the name of an index has behind the archive's. */
  public static final String SUFFIX = ".offsets";

  private static final String HEADER = "ndc-offsets 1 ";
  // A gigabyte of archive has a hundred lines or so; this is enough for 40 TB.
  private static final long MAX_INDEX_BYTES = 64L << 20;
  // A damaged record of a plain file whose length is larger costs the offsets up to where it ends.
  private static final ReadRules READ = new ReadRules(64 << 20, false);

  private OffsetIndex() {}

  /**
   * Reads an archive, once and from its start to its end, and writes its index, over an older one. The index
   * appears when it is whole.
   *
   * @param stepBytes between two offsets of the index lie at least so many bytes, and at most so many and a
   *     record, as far as records can be found; at least 1
   * @return the offsets, ascending
   * @throws IOException if the archive cannot be read or is empty, or if the index cannot be written
   */
  public static long[] build(Path archive, long stepBytes, Configuration configuration)
      throws IOException {
    if (stepBytes < 1) throw new IllegalArgumentException("offsets every " + stepBytes + " bytes");
    try (StorageInput input =
            new StorageInput(new ArchiveSplit(archive.toString(), 0, Long.MAX_VALUE), configuration);
        Archive opened = input.open(READ)) {
      if (!opened.files().equals(List.of(archive.toString())))
        throw new IOException("is a WACZ: tasks share its files, not their records");
      long[] offsets = offsets(opened, stepBytes);
      if (offsets.length == 0) throw new IOException("no whole record begins in it");
      write(archive, input.size(), offsets, configuration);
      return offsets;
    } catch (CorruptException none) {
      throw new IOException(none.getMessage(), none);
    } catch (FSError failed) {
      throw new IOException(failed);
    }
  }

  private static long[] offsets(Archive archive, long stepBytes) throws IOException {
    LongStream.Builder offsets = LongStream.builder();
    long last = Long.MIN_VALUE / 2;
    boolean isSeparate = true;
    for (ArchiveItem item = archive.next(); item != null; item = archive.next()) {
      // What is before it must be the same when the file ends here. Damage is reported to whoever reads the archive.
      boolean begins = isSeparate && item.isRecord();
      isSeparate = item.isSeparate();
      if (!begins || item.fileOffset() - last < stepBytes || item.memberOffset() > 0) continue;
      last = item.fileOffset();
      offsets.add(last);
    }
    return offsets.build().toArray();
  }

  private static void write(Path archive, long archiveBytes, long[] offsets, Configuration configuration)
      throws IOException {
    FileSystem system = archive.getFileSystem(configuration);
    Path target = system.makeQualified(archive.suffix(SUFFIX));
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
   * @param archiveBytes the size of the archive now
   * @param log receives, as for a failed file, that an index is there and why it is of no use; not null
   * @return ascending, below the archive's size; empty if there is no index that can be used
   */
  public static long[] read(Path archive, long archiveBytes, Configuration configuration, ReadLog log) {
    Path path = archive.suffix(SUFFIX);
    try {
      FileSystem system = path.getFileSystem(configuration);
      FileStatus status = system.getFileStatus(path);
      if (status.getLen() > MAX_INDEX_BYTES)
        throw new MalformedIndex("has more than " + MAX_INDEX_BYTES + " bytes");
      try (FSDataInputStream in = system.open(path)) {
        return parse(new String(in.readAllBytes(), StandardCharsets.US_ASCII), archiveBytes);
      }
    } catch (FileNotFoundException none) {
      return new long[0];
    } catch (IOException | IllegalArgumentException | FSError unusable) {
      String reason = unusable instanceof MalformedIndex ? unusable.getMessage() : unusable.toString();
      log.failed(path.toString(), ReadLog.WHOLE_FILE, VisibleText.of("the index is not used: " + reason));
      return new long[0];
    }
  }

  private static long[] parse(String text, long archiveBytes) throws IOException {
    if (!text.startsWith(HEADER)) throw new MalformedIndex("is no index of offsets, version 1");
    // A last line without its end may be a cut number.
    if (!text.endsWith("\n")) throw new MalformedIndex("is cut");
    Iterator<String> lines = text.lines().iterator();
    if (decimal(lines.next().substring(HEADER.length())) != archiveBytes)
      throw new MalformedIndex("is of an archive of another size");
    LongStream.Builder offsets = LongStream.builder();
    long last = -1;
    for (int number = 2; lines.hasNext(); number++) {
      long offset = decimal(lines.next());
      if (offset <= last || offset >= archiveBytes) throw new MalformedIndex("line " + number + " is malformed");
      offsets.add(offset);
      last = offset;
    }
    return offsets.build().toArray();
  }

  // −1: it is none.
  private static long decimal(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }

  /** An index that is not what {@link #build} writes. */
  private static final class MalformedIndex extends IOException {
    MalformedIndex(String reason) {
      super(reason);
    }
  }
}
