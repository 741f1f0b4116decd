package io.ndc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The native library and those it needs beside it: in the jar, or in a directory. */
final class LibraryBundle {
  /** A file beside the libraries that names them, one a line; bundle-libraries writes it. */
  private static final String LIST = "libraries";
  /** A file beside them with the version of glibc that they need. */
  private static final String GLIBC = "glibc";

  private final String resources;
  private final Path directory;
  private final List<String> files;

  private LibraryBundle(String resources, Path directory, List<String> files) {
    this.resources = resources;
    this.directory = directory;
    this.files = files;
  }

  /** Null: the jar has none for this platform. */
  static LibraryBundle inJar(String platform) {
    String folder = "native/" + platform + "/";
    try (InputStream list = LibraryBundle.class.getResourceAsStream(folder + LIST)) {
      if (list == null) return null;
      return new LibraryBundle(folder, null, names(new String(list.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the jar of ndc cannot be read", unreadable);
    }
  }

  /** The library's file and what the list beside it names, if there is one. */
  static LibraryBundle inDirectory(Path library) {
    Path directory = library.toAbsolutePath().getParent();
    Path list = directory.resolve(LIST);
    try {
      List<String> files =
          Files.isRegularFile(list) && library.endsWith(NativeLibrary.FILE)
              ? names(Files.readString(list))
              : List.of(library.getFileName().toString());
      return new LibraryBundle(null, directory, files);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(list + " cannot be read", unreadable);
    }
  }

  /** The library first. */
  List<String> files() {
    return files;
  }

  InputStream open(String file) throws IOException {
    if (directory != null) return Files.newInputStream(directory.resolve(file));
    InputStream content = LibraryBundle.class.getResourceAsStream(resources + file);
    if (content == null) throw new IOException("the jar of ndc has no " + resources + file);
    return content;
  }

  /** A description of the system that they need; empty if it is not known. */
  String requirement() {
    try (InputStream version = open(GLIBC)) {
      return "; it needs glibc " + new String(version.readAllBytes(), StandardCharsets.UTF_8).strip() + " or newer";
    } catch (IOException unknown) {
      return "";
    }
  }

  private static List<String> names(String list) {
    return list.lines().filter(line -> !line.isBlank()).toList();
  }
}
