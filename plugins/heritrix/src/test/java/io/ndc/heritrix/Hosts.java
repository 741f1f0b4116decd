package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;

/** Names for the loopback address, by the JDK's own hosts file ({@code jdk.net.hosts.file}). */
final class Hosts {
  private static final Path FILE;

  static {
    try {
      FILE = Files.createTempFile("hosts", ".txt");
      FILE.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
    // Read when the class InetAddress is loaded, that is before any test opened a socket.
    System.setProperty("jdk.net.hosts.file", FILE.toString());
  }

  private Hosts() {}

  /** Gives the hosts of these URLs, and no others, the address 127.0.0.1. */
  static void give(Collection<String> urls) throws IOException {
    String lines = urls.stream().map(url -> URI.create(url).getHost()).distinct().map(host -> "127.0.0.1 " + host + "\n")
        .collect(Collectors.joining());
    String own = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    Files.writeString(FILE, "127.0.0.1 localhost\n127.0.0.1 " + own + "\n" + lines);
    for (String url : urls) {
      assertTrue(InetAddress.getByName(URI.create(url).getHost()).isLoopbackAddress(), url);
    }
  }

  /** The argument that gives another JVM the same names. */
  static String argument() {
    return "-Djdk.net.hosts.file=" + FILE;
  }
}
