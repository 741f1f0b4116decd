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
  private static final Path FILE;

  static {
    try {
      FILE = Files.createTempFile("hosts", ".txt");
      FILE.toFile().deleteOnExit();
      String own = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      Files.writeString(FILE, "127.0.0.1 localhost\n127.0.0.1 " + own + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Read when the class InetAddress is loaded, that is before any test opened a socket.
    System.setProperty("jdk.net.hosts.file", FILE.toString());
  }

  private Hosts() {}

  /** Makes sure that the names hold. */
  static void give() {}

  /** The argument that gives another JVM the same names. */
  static String argument() {
    return "-Djdk.net.hosts.file=" + FILE;
  }
}
