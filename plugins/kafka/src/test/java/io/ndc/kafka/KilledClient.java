package io.ndc.kafka;

import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A client that is to be killed: KilledClient SETTINGS NUMBER asks about pages, and prints those that are answered.
 */
public final class KilledClient {
  static final int DOCUMENTS = 40;

  private KilledClient() {}

  /** The pages of a client, which are others' too. */
  static List<Copy> copies(int number) {
    List<Copy> copies = new ArrayList<>();
    for (Copy copy : new GeneratedPages(1000 + number).copies(DOCUMENTS, 2))
      copies.add(new Copy(copy.url() + "-killed-" + number, copy.document() - (number + 1) * DOCUMENTS, copy.html()));
    return copies;
  }

  /**
   * The program.
   *
   * @param arguments of the class's sentence
   */
  public static void main(String[] arguments) throws Exception {
    Properties settings = new Properties();
    settings.load(Files.newBufferedReader(Path.of(arguments[0])));
    Map<String, String> all = new HashMap<>();
    settings.forEach((key, value) -> all.put((String) key, (String) value));
    try (NdCluster cluster = NdCluster.connect(all, new NdCluster.Listener() {})) {
      for (Copy copy : copies(Integer.parseInt(arguments[1]))) {
        cluster.check(copy.page(System.currentTimeMillis()))
            .thenAccept(result -> System.out.println("answered " + copy.url()));
        Thread.sleep(30);
      }
      Thread.sleep(60_000);
    }
  }
}
