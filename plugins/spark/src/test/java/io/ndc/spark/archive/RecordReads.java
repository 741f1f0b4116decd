package io.ndc.spark.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Reads an archive in memory to its end and keeps its records and its damage. */
final class RecordReads {
  private static final Configuration CONFIGURATION = MemoryFiles.configuration();

  final List<String> uris = new ArrayList<>();
  final List<String> blocks = new ArrayList<>();
  final List<Boolean> truncated = new ArrayList<>();
  final List<Position> positions = new ArrayList<>();
  final List<Position> damages = new ArrayList<>();
  final List<String> reasons = new ArrayList<>();

  static RecordReads of(byte[] archive) {
    return of(archive, Integer.MAX_VALUE, 1 << 20);
  }

  /** @param piece how many bytes a read of the file gives at most */
  static RecordReads of(byte[] archive, int piece, int maxBlockBytes) {
    RecordReads reads = new RecordReads();
    String path = MemoryFiles.add(archive.length, MemoryFiles.of(archive, piece));
    try (StorageInput input =
            new StorageInput(new ArchiveSplit(path, 0, Long.MAX_VALUE), CONFIGURATION);
        ArchiveStream stream = new ArchiveStream(input, 0)) {
      reads.take(new RecordReader(stream, maxBlockBytes));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      MemoryFiles.remove(path);
    }
    return reads;
  }

  private void take(RecordReader reader) {
    for (;;) {
      switch (reader.next()) {
        case RECORD:
          ArchiveRecord record = reader.record();
          uris.add(record.targetUri().latin1());
          blocks.add(record.block().latin1());
          truncated.add(record.truncated());
          positions.add(record.position());
          break;
        case DAMAGED:
          damages.add(reader.damagePosition());
          reasons.add(reader.damageReason());
          break;
        case END:
          return;
        default:
          throw new IllegalStateException("the storage failed");
      }
    }
  }
}
