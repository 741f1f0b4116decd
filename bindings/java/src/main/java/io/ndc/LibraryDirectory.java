package io.ndc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of our own for the moment of loading: the files are in it until the system has mapped them. Each class
 * loader and each JVM has another one, because the JVM lends a file to one class loader only. Meanwhile a file in it is
 * locked; the system takes the lock from a process that ends, however it ends.
 */
final class LibraryDirectory {
  private static final String PROPERTY = "ndc.tmpdir";
  private static final String PREFIX = "ndc-native-";
  /** PREFIX, version, process id, and what createTempDirectory adds. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9.]+-([0-9]{1,18})-[0-9]+");
  /** Has this name only when it is locked. */
  private static final String LOCK = "lock";
  private static final String NEW_LOCK = "lock.new";
  /**
   * For directories without a lock, of file systems that have none. Loading takes a moment; process ids may come from
   * another container, so age must speak against a directory as well.
   */
  private static final Duration STALE_AFTER = Duration.ofHours(1);
  /** The system reports the start of a process with an error of up to a second. */
  private static final Duration CLOCK_ERROR = Duration.ofSeconds(2);

  private LibraryDirectory() {}

  static void load(LibraryBundle bundle) {
    String property = System.getProperty(PROPERTY, "").isEmpty() ? "java.io.tmpdir" : PROPERTY;
    Path base = Path.of(System.getProperty(property));
    Path directory = null;
    FileChannel lock = null;
    try {
      directory = Files.createTempDirectory(
          base,
          PREFIX + NativeLibrary.VERSION + "-" + ProcessHandle.current().pid() + "-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      lock = lock(directory);
      // First: what killed JVMs left may be what fills the disk.
      removeStale(base, directory);
      for (String file : bundle.files()) {
        try (InputStream content = bundle.open(file)) {
          Files.copy(content, directory.resolve(file));
        }
      }
      NativeLibrary.systemLoad(directory.resolve(bundle.files().get(0)));
    } catch (NativeLibraryException known) {
      throw known;
    } catch (IOException | RuntimeException | UnsatisfiedLinkError refused) {
      throw new NativeLibraryException("the native library of ndc could not be unpacked and loaded in " + base + " ("
              + reason(bundle, refused)
              + "); the directory must be writable, have 60 MB free and allow programs (no noexec): name another one"
              + " with -D" + PROPERTY + "=DIR, or unpack the library yourself and use -D"
              + NativeLibrary.PATH_PROPERTY + "=DIR",
          refused);
    } finally {
      remove(directory);
      close(lock);
    }
  }

  /** Null: this file system has no locks. */
  private static @Nullable FileChannel lock(Path directory) throws IOException {
    Path unlocked = directory.resolve(NEW_LOCK);
    FileChannel channel = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      channel.lock();
      Files.move(unlocked, directory.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return channel;
    } catch (IOException noLocks) {
      close(channel);
      return null;
    }
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) channel.close();
    } catch (IOException closed) {
      // The file is gone already.
    }
  }

  private static String reason(LibraryBundle bundle, Throwable refused) {
    return refused instanceof UnsatisfiedLinkError ? refused.getMessage() + bundle.requirement() : refused.toString();
  }

  /** A JVM that was killed in the moment of loading leaves its directory; the next one takes it away. */
  private static void removeStale(Path base, Path ours) {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path directory : directories) {
        if (isStale(directory, ours)) remove(directory);
      }
    } catch (IOException | RuntimeException unreadable) {
      // A failure to tidy up is ignored.
    }
  }

  /** Ours by name and owner, with nothing but libraries in it, and the process that made it is gone. */
  private static boolean isStale(Path directory, Path ours) throws IOException {
    Matcher name = NAME.matcher(directory.getFileName().toString());
    if (!name.matches() || !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        || !Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ours))
        || !hasOnlyLibraries(directory)) {
      return false;
    }
    Instant written = Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).toInstant();
    long process = Long.parseLong(name.group(1));
    boolean sameId = process == ProcessHandle.current().pid();
    // Of another class loader of this process. Its lock is not touched: closing the file would give up this
    // process's own lock.
    if (sameId && !written.isBefore(startOfThisJvm())) return false;
    Path lock = directory.resolve(LOCK);
    if (Files.exists(lock, LinkOption.NOFOLLOW_LINKS)) return isFree(lock);
    return written.isBefore(Instant.now().minus(STALE_AFTER)) && (sameId || ProcessHandle.of(process).isEmpty());
  }

  /** In a container each JVM may have the same process id as the one before it. */
  private static Instant startOfThisJvm() {
    return ProcessHandle.current().info().startInstant().map(start -> start.minus(CLOCK_ERROR)).orElse(Instant.MIN);
  }

  private static boolean isFree(Path lock) {
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
         FileLock taken = channel.tryLock()) {
      return taken != null;
    } catch (IOException | OverlappingFileLockException unknown) {
      return false;
    }
  }

  private static boolean hasOnlyLibraries(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString())
          .allMatch(name -> name.contains(".so") || name.equals(LOCK) || name.equals(NEW_LOCK));
    }
  }

  /** Removes a directory and the files in it; what cannot be removed stays. */
  private static void remove(@Nullable Path directory) {
    if (directory == null) return;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException | RuntimeException stays) {
      // removeStale of a later JVM tries again.
    }
  }
}
