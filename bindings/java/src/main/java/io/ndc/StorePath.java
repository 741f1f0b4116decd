package io.ndc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/** A store's directory as the system names it. */
final class StorePath {
  private StorePath() {}

  /**
   * The exact bytes of an absolute path. {@link Path#toString} would lose what the JVM's own encoding cannot say, so
   * they are taken from its URI, where each byte stands for itself.
   */
  static byte[] bytes(Path path) {
    Arguments.notNull(path, "the store's path", "NearDuplicates.inMemory(options) needs none");
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new InvalidArgumentException("the store " + path + " is not in the system's own file system, but must be");
    }
    byte[] uri = path.toUri().getRawPath().getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(uri.length);
    for (int i = 0; i < uri.length; ++i) {
      if (uri[i] == '%') {
        bytes.write(Character.digit(uri[i + 1], 16) << 4 | Character.digit(uri[i + 2], 16));
        i += 2;
      } else {
        bytes.write(uri[i]);
      }
    }
    return bytes.toByteArray();
  }
}
