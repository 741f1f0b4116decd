package io.ndc.spark.archive;

import io.ndc.Archive;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The bytes of a stretch of a file, as the reader of archives asks for them. One thread at a time. */
final class StorageInput implements Archive.Bytes, Closeable {
  private final ArchiveSplit split;
  private final FSDataInputStream stream;
  private final long size;
  private long position;

  /** Opens a file. */
  StorageInput(ArchiveSplit split, Configuration configuration) throws IOException {
    this.split = split;
    try {
      Path path = new Path(split.path());
      FileSystem system = FileSystems.of(path, configuration);
      FileStatus status = system.getFileStatus(path);
      if (status.isDirectory()) throw new FileNotFoundException("is a folder");
      size = Math.max(0, Math.min(status.getLen(), split.end()) - split.begin());
      stream = system.open(path);
    } catch (FSError error) {
      throw new IOException(error);
    }
  }

  /** Its archive, which is to be closed before. */
  Archive open(ReadRules rules) throws IOException {
    long end = split.begin() + size;
    return Archive.open(split.path(), this, split.begin(), end, rules.pageBytes(), rules.allStatuses());
  }

  /** Of the next byte in the file. */
  long offset() {
    return position;
  }

  /** Bytes of the stretch, as the file system had it on opening. */
  long size() {
    return size;
  }

  @Override
  public int read(long offset, byte[] out, int count) throws IOException {
    try {
      if (offset != position) {
        position = offset;
        stream.seek(offset);
      }
      int given = stream.read(out, 0, count);
      // At the end the file is shorter than the file system said: it is being written to, or was replaced.
      position += Math.max(0, given);
      return given;
    } catch (FSError failed) {
      // Hadoop's local file system throws its I/O errors as an Error.
      throw new IOException(failed);
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException | FSError unimportant) {
      // All that was wanted has been read.
    }
  }
}
