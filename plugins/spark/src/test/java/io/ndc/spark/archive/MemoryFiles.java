package io.ndc.spark.archive;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;

/** A read-only Hadoop file system, "memory:/", of files that are generated, forbidden or fail. */
public final class MemoryFiles extends FileSystem {
  /** The bytes of a file. */
  interface Content {
    /** Gives at least one byte. */
    int read(long position, byte[] out, int offset, int count) throws IOException;
  }

  private record Entry(long size, Content content, boolean forbidden) {}

  private static final Map<String, Entry> FILES = new ConcurrentHashMap<>();
  private static final AtomicInteger NAMES = new AtomicInteger();

  static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.setClass("fs.memory.impl", MemoryFiles.class, FileSystem.class);
    return configuration;
  }

  static Content of(byte[] bytes, int piece) {
    return (position, out, offset, count) -> {
      int given = Math.min(Math.min(count, piece), bytes.length - (int) position);
      System.arraycopy(bytes, (int) position, out, offset, given);
      return given;
    };
  }

  /** As {@code bytes}; from {@code failAt} on, reading fails. */
  static Content failing(byte[] bytes, int failAt, IOException failure) {
    Content whole = of(bytes, 100);
    return (position, out, offset, count) -> {
      if (position >= failAt) throw failure;
      return whole.read(position, out, offset, (int) Math.min(count, failAt - position));
    };
  }

  static String add(byte[] bytes) {
    return add(bytes.length, of(bytes, Integer.MAX_VALUE));
  }

  /** Makes a file and gives its path. */
  static String add(long size, Content content) {
    return put("memory:/made/" + NAMES.incrementAndGet() + ".warc", new Entry(size, content, false));
  }

  static String put(String path, byte[] bytes) {
    return put(path, new Entry(bytes.length, of(bytes, Integer.MAX_VALUE), false));
  }

  static void remove(String path) {
    FILES.remove(new Path(path).toUri().getPath());
  }

  /** Of a folder: it cannot be listed. */
  static String forbid(String path) {
    return put(path, new Entry(1, null, true));
  }

  private static String put(String path, Entry entry) {
    FILES.put(new Path(path).toUri().getPath(), entry);
    return path;
  }

  @Override
  public String getScheme() {
    return "memory";
  }

  @Override
  public URI getUri() {
    return URI.create("memory:///");
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    Entry entry = FILES.get(name(path));
    if (entry == null) throw new FileNotFoundException(path.toString());
    if (entry.forbidden()) throw new AccessControlException("Permission denied: " + path);
    return new FSDataInputStream(new ContentStream(entry));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    String name = name(path);
    Entry entry = FILES.get(name);
    boolean folder = FILES.keySet().stream().anyMatch(other -> isBelow(other, name));
    if (entry == null && !folder) throw new FileNotFoundException(path.toString());
    return new FileStatus(folder ? 0 : entry.size(), folder, 1, 1 << 20, 0, makeQualified(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    String name = name(path);
    if (FILES.containsKey(name)) throw new AccessControlException("Permission denied: " + path);
    List<FileStatus> found = new ArrayList<>();
    FILES.keySet().stream().filter(other -> isBelow(other, name))
        .map(other -> other.substring(name.length() + 1).split("/")[0]).distinct()
        .map(child -> new Path(path, child)).forEach(child -> {
          try {
            found.add(getFileStatus(child));
          } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
          }
        });
    return found.toArray(new FileStatus[0]);
  }

  private static String name(Path path) {
    return path.toUri().getPath();
  }

  private static boolean isBelow(String name, String folder) {
    return name.startsWith(folder + "/");
  }

  @Override
  public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite, int bufferSize,
      short replication, long blockSize, Progressable progress) throws IOException {
    throw new IOException("read-only");
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
    throw new IOException("read-only");
  }

  @Override
  public boolean rename(Path source, Path target) {
    return false;
  }

  @Override
  public boolean delete(Path path, boolean recursive) {
    return false;
  }

  @Override
  public void setWorkingDirectory(Path folder) {}

  @Override
  public Path getWorkingDirectory() {
    return new Path("memory:/");
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    return false;
  }

  private static final class ContentStream extends InputStream implements Seekable, PositionedReadable {
    private final Entry entry;
    private long position;

    ContentStream(Entry entry) {
      this.entry = entry;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] out, int offset, int count) throws IOException {
      if (position >= entry.size()) return -1;
      int given = entry.content().read(position, out, offset, (int) Math.min(count, entry.size() - position));
      position += given;
      return given;
    }

    @Override
    public void seek(long target) throws IOException {
      if (target > entry.size()) throw new EOFException("behind the end");
      position = target;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read(long at, byte[] out, int offset, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readFully(long at, byte[] out, int offset, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readFully(long at, byte[] out) {
      throw new UnsupportedOperationException();
    }
  }
}
