package io.ndc.nutch.crawl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives this machine's own name the loopback address, by the JDK's own hosts file ({@code jdk.net.hosts.file}): Hadoop
 * asks for it, and where tests run it may be known to nobody.
 */
final class Hosts {
  private static final String PROPERTY = "jdk.net.hosts.file";

  static {
    // It is read when the class InetAddress is loaded, that is before any test opened a socket.
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, write().toString());
    }
  }

  private Hosts() {}

  /** Makes sure that the names hold. */
  static void give() {}

  /** The argument that gives another JVM the same names. */
  static String argument() {
    return "-D" + PROPERTY + '=' + System.getProperty(PROPERTY);
  }

  private static Path write() {
    try {
      Path file = Files.createTempFile("hosts", ".txt");
      file.toFile().deleteOnExit();
      String own = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      return Files.writeString(file, "127.0.0.1 localhost\n127.0.0.1 " + own + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
