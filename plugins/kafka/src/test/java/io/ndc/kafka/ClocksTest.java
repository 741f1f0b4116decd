package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.kafka.GeneratedPages.Copy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines whose clocks are a day off, or are set while pages are being decided. */
class ClocksTest {
  private static final long DAY = 86_400_000;
  /** So long pages may be open whatever happened to a clock. */
  private static final long PATIENCE = 60_000;

  private final GeneratedPages generated = new GeneratedPages(9);
  private long fetchedAtMs = 1_700_000_000_000L;

  private List<Copy> ask(SimulatedCluster cluster) {
    List<Copy> copies = generated.shuffled(generated.copies(8, 4));
    copies.forEach(copy -> cluster.ask(copy.page(++fetchedAtMs)));
    return copies;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void clocksADayApartChangeNothing(long seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(4, seed).repeating(0.1)) {
      cluster.setClocks(DAY, 0, -DAY, 0);
      List<Copy> copies = ask(cluster);
      cluster.runFor(PATIENCE);
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertEquals(0, cluster.metrics.get(ClusterMetrics.Count.LATE));
    }
  }

  /** What was sent before is lost, so that only those who ask again are answered. */
  @ParameterizedTest
  @ValueSource(ints = {1, 60, 120, 200, 300, 400})
  void pagesGoOnWhenTheirPartitionGoesToAMachineADayBehind(int messages) {
    try (SimulatedCluster cluster = new SimulatedCluster(4, messages)) {
      cluster.setClocks(DAY, DAY, DAY, DAY);
      List<Copy> copies = ask(cluster);
      cluster.run(messages);
      cluster.loseAllButQuestions();
      cluster.restart();
      cluster.setClocks(0, 0, 0, 0);
      cluster.runFor(PATIENCE);
      assertEquals(copies.size(), cluster.answers.size());
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 120, 200, 300, 400})
  void pagesGoOnWhenAClockIsSetBack(int messages) {
    try (SimulatedCluster cluster = new SimulatedCluster(4, messages)) {
      List<Copy> copies = ask(cluster);
      cluster.run(messages);
      cluster.loseAllButQuestions();
      cluster.setClocks(-DAY, -DAY, -DAY, -DAY);
      cluster.runFor(PATIENCE);
      assertEquals(copies.size(), cluster.answers.size());
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  /** All that is under way is decided with what is known, and put right by what comes later. */
  @Test
  void aClockThatIsSetForwardLosesNothing() {
    try (SimulatedCluster cluster = new SimulatedCluster(4, 1)) {
      List<Copy> copies = ask(cluster);
      cluster.stallComparisons(0);
      cluster.runFor(1_000);
      cluster.setClocks(DAY, DAY, DAY, DAY);
      cluster.runFor(1_000);
      cluster.stallComparisons(-1);
      cluster.runFor(PATIENCE);
      assertEquals(copies.size(), cluster.answers.size());
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertTrue(cluster.metrics.get(ClusterMetrics.Count.LATE) > 0);
    }
  }
}
