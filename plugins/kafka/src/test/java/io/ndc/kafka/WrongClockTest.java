package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances, one a day ahead of its broker and one a day behind. */
class WrongClockTest {
  @TempDir Path folder;

  private Process instance(OneBroker one, String name, long days) throws Exception {
    Map<String, String> settings = new HashMap<>(OneBroker.QUICK);
    settings.put("state.folder", one.local.stateFolder(name).toString());
    return one.local.client(name, settings, WrongClock.class, Long.toString(Duration.ofDays(days).toMillis()));
  }

  @Test
  void instancesADayApartFindAllCopies() throws Exception {
    GeneratedPages generated = new GeneratedPages(6);
    List<Copy> copies = generated.shuffled(generated.copies(12, 4));
    try (OneBroker one = new OneBroker(folder)) {
      Process ahead = instance(one, "ahead", 1);
      Process behind = instance(one, "behind", -1);
      one.local.awaitTopics();
      try (NdCluster cluster = one.connect()) {
        awaitPartitions(one, "ahead");
        awaitPartitions(one, "behind");
        OneBroker.await(OneBroker.ask(cluster, copies.subList(0, 24)));
        assertTrue(ahead.isAlive(), one.said("ahead"));
        // Whoever has its partitions now has another clock.
        LocalProcesses.kill(ahead);
        OneBroker.await(OneBroker.ask(cluster, copies.subList(24, 48)));
      }
      assertTrue(behind.isAlive(), one.said("behind"));
      assertEquals(1, one.f1(copies));
      endsWhenItsClockIsSetBack(one);
    }
  }

  private static void awaitPartitions(OneBroker one, String instance) throws Exception {
    Path tasks = one.local.stateFolder(instance).resolve("ndc");
    for (int tries = 0; tries < 10 * OneBroker.PATIENCE_S; tries++) {
      try (Stream<Path> found = Files.exists(tasks) ? Files.list(tasks) : Stream.empty()) {
        if (found.anyMatch(path -> path.getFileName().toString().startsWith("0_"))) return;
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException(instance + " has no partition: " + one.said(instance));
  }

  private static void endsWhenItsClockIsSetBack(OneBroker one) throws Exception {
    WrongClock clock = new WrongClock(0);
    Map<String, String> settings = one.settings("state.folder", one.local.stateFolder("set").toString());
    try (NdClusterNode node = NdClusterNode.start(settings, clock)) {
      clock.set(-Duration.ofDays(1).toMillis());
      assertTrue(node.awaitFailure());
      // Closing waits for what is due.
      clock.set(0);
    }
  }
}
