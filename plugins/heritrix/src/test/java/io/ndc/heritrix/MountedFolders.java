package io.ndc.heritrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders on a mounted file system. Heritrix's database asks how much room there is, and cannot open where
 * the JVM does not find the mount, as below the root of a chroot; there they are in shared memory.
 */
public final class MountedFolders implements TempDirFactory {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
    Path folder = Files.createTempDirectory("junit-");
    try {
      Files.getFileStore(folder);
      return folder;
    } catch (IOException noMount) {
      Files.delete(folder);
      return Files.createTempDirectory(SHARED_MEMORY, "junit-");
    }
  }
}
