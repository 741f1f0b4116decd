package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.GeneratedPages.Copy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that waited too long for comparisons: whatever was decided without them is put right by what comes later. */
class DeadlineTest {
  private static final long LONGER_THAN_THE_DEADLINE = 15_000;

  private final GeneratedPages generated = new GeneratedPages(1);
  private long fetchedAtMs = 1_700_000_000_000L;

  private long ask(SimulatedCluster cluster, Copy copy) {
    return cluster.ask(copy.page(++fetchedAtMs));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void whatWasDecidedAtTheDeadlineIsMergedLater(int seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(2, seed)) {
      List<Copy> copies = generated.copies(12, 1);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run();
      List<Copy> later = new ArrayList<>();
      for (Copy copy : copies)
        later.add(new Copy(copy.url().replace("host0", "host1"), copy.document(),
            copy.html().replace("owners", "writers")));
      List<Long> questions = new ArrayList<>();
      later.forEach(copy -> questions.add(ask(cluster, copy)));
      cluster.stallComparisons(seed % 2);
      cluster.runFor(20_000);
      assertTrue(cluster.metrics.get(Count.LATE) > 0);
      cluster.stallComparisons(-1);
      cluster.run();
      questions.forEach(cluster::answer);
      copies.addAll(later);
      assertEquals(cluster.metrics.get(Count.LATE), cluster.metrics.get(Count.MERGED));
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertTrue(cluster.events.stream().anyMatch(event -> event.kind() == ClusterEvent.Kind.MERGED));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 80, 120, 160, 200, 240, 300, 400, 500, 600, 700})
  void copiesFindEachOtherThoughAllStoodStill(int messages) {
    for (int seed = 1; seed <= 5; seed++) {
      try (SimulatedCluster cluster = new SimulatedCluster(4, seed)) {
        List<Copy> copies = generated.copies(8, 3);
        copies.forEach(copy -> ask(cluster, copy));
        cluster.run(messages);
        cluster.pause(LONGER_THAN_THE_DEADLINE);
        cluster.run();
        assertEquals(1, GeneratedPages.f1(copies, cluster.groups()), "seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void copiesFindEachOtherWhateverStandsStillAndHowOften(long seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(4, seed).repeating(0.1)) {
      List<Copy> copies = generated.shuffled(generated.copies(8, 5));
      int asked = 0;
      for (int round = 0; round < 5; round++) {
        for (; asked < copies.size() * (round + 1) / 5; asked++)
          ask(cluster, copies.get(asked));
        cluster.run(60);
        cluster.stallComparisons(round % 4);
        cluster.run(60);
        if (round % 2 == 0) cluster.restart();
        cluster.pause(LONGER_THAN_THE_DEADLINE);
        cluster.pause(LONGER_THAN_THE_DEADLINE);
      }
      cluster.stallComparisons(-1);
      cluster.run();
      assertTrue(cluster.metrics.get(Count.LATE) > 0);
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @Test
  void theTimeWithoutAnInstanceDoesNotCount() {
    try (SimulatedCluster cluster = new SimulatedCluster(4, 1)) {
      List<Copy> copies = generated.copies(8, 3);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run(300);
      cluster.restart();
      cluster.pause(LONGER_THAN_THE_DEADLINE);
      cluster.run();
      assertEquals(0, cluster.metrics.get(Count.LATE));
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }
}
