package io.ndc.spark.archive;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The bytes of a stretch of a file. A failure of the storage is noted and looks like the end, so that what
 * came before is still used, and so that it is never taken for damage of the data. One thread at a time.
 */
final class StorageInput implements Closeable {
  private final long begin;
  private final FSDataInputStream stream;
  private final long size;
  private long remaining;
  private IOException failure;

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be opened
   */
  StorageInput(ArchiveSplit split, Configuration configuration) throws IOException {
    begin = split.begin();
    try {
      Path path = new Path(split.path());
      FileSystem system = FileSystems.of(path, configuration);
      FileStatus status = system.getFileStatus(path);
      if (status.isDirectory()) throw new FileNotFoundException("is a folder");
      size = Math.max(0, Math.min(status.getLen(), split.end()) - begin);
      remaining = size;
      stream = system.open(path);
    } catch (FSError error) {
      throw new IOException(error);
    }
    seek();
  }

  private void seek() throws IOException {
    if (begin == 0 || size == 0) return;
    try {
      stream.seek(begin);
    } catch (IOException | FSError failed) {
      close();
      throw asIo(failed);
    }
  }

  /** Of the next byte in the file. */
  long offset() {
    return begin + size - remaining;
  }

  /** Bytes of the stretch, as the file system had it on opening. */
  long size() {
    return size;
  }

  /**
   * Reads at least one byte and at most {@code count}, at least 1. 0 at the end, and when the storage has
   * failed.
   */
  int read(byte[] out, int offset, int count) {
    if (remaining == 0 || failure != null) return 0;
    try {
      int given = stream.read(out, offset, (int) Math.min(count, remaining));
      if (given <= 0) {
        // Shorter than the file system said: a file that is being written to, or was replaced.
        remaining = 0;
        return 0;
      }
      remaining -= given;
      return given;
    } catch (IOException | FSError failed) {
      failure = asIo(failed);
      return 0;
    }
  }

  /** Null unless the storage has failed. */
  IOException failure() {
    return failure;
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException | FSError unimportant) {
      // All that was wanted has been read.
    }
  }

  // Hadoop's local file system throws its I/O errors as an Error.
  private static IOException asIo(Throwable failed) {
    return failed instanceof IOException ? (IOException) failed : new IOException(failed);
  }
}
