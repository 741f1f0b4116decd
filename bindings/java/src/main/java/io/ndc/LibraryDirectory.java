package io.ndc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory of our own for the moment of loading: the files are in it until the system has mapped them. Each class
 * loader and each JVM has another one, because the JVM lends a file to one class loader only.
 */
final class LibraryDirectory {
  private static final String PROPERTY = "ndc.tmpdir";
  private static final String PREFIX = "ndc-native-";
  /** PREFIX, version, process id, and what createTempDirectory adds. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9.]+-([0-9]{1,18})-[0-9]+");
  /**
   * Loading takes a moment; process ids may come from another container, so age must speak against a directory as
   * well.
   */
  private static final Duration STALE_AFTER = Duration.ofHours(1);

  private LibraryDirectory() {}

  static void load(LibraryBundle bundle) {
    String property = System.getProperty(PROPERTY, "").isEmpty() ? "java.io.tmpdir" : PROPERTY;
    Path base = Path.of(System.getProperty(property));
    Path directory = null;
    try {
      directory = Files.createTempDirectory(
          base,
          PREFIX + NativeLibrary.VERSION + "-" + ProcessHandle.current().pid() + "-",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      for (String file : bundle.files()) {
        try (InputStream content = bundle.open(file)) {
          Files.copy(content, directory.resolve(file));
        }
      }
      System.load(directory.resolve(bundle.files().get(0)).toAbsolutePath().toString());
      removeStale(base, directory);
    } catch (IOException | RuntimeException | UnsatisfiedLinkError refused) {
      throw new NativeLibraryException("the native library of ndc could not be unpacked and loaded in " + base + " ("
              + reason(bundle, refused)
              + "); the directory must be writable, have 60 MB free and allow programs (no noexec): name another one"
              + " with -D" + PROPERTY + "=DIR, or unpack the library yourself and use -D"
              + NativeLibrary.PATH_PROPERTY + "=DIR",
          refused);
    } finally {
      remove(directory);
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
      // Tidying up is no reason to fail.
    }
  }

  /** Ours by name and owner, with nothing but libraries in it, old, and its process is gone. */
  private static boolean isStale(Path directory, Path ours) throws IOException {
    Matcher name = NAME.matcher(directory.getFileName().toString());
    return name.matches() && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ours))
        && Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS)
               .toInstant()
               .isBefore(Instant.now().minus(STALE_AFTER))
        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty() && hasOnlyLibraries(directory);
  }

  private static boolean hasOnlyLibraries(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.allMatch(file -> file.getFileName().toString().contains(".so"));
    }
  }

  /** Removes a directory and the files in it; what cannot be removed stays. */
  private static void remove(Path directory) {
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
