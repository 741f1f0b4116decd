package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Page;
import io.ndc.Verdict;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The topology itself, on the driver that Kafka Streams has for tests: topics, stores, sinks. */
class ClusterTopologyTest {
  @TempDir Path folder;

  @Test
  void findsAllCopiesAndKeepsThemWhenSettled() {
    try (DrivenTopology cluster = new DrivenTopology(folder)) {
      GeneratedPages generated = new GeneratedPages(2);
      List<Copy> copies = generated.shuffled(generated.copies(15, 4));
      long fetchedAtMs = 1_700_000_000_000L;
      for (Copy copy : copies)
        cluster.ask(copy.page(++fetchedAtMs));
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertEquals(Verdict.UNCHANGED, cluster.ask(copies.get(0).page(++fetchedAtMs)).verdict());
      cluster.settle();
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @Test
  void skipsWhatIsNoMessage() {
    try (DrivenTopology cluster = new DrivenTopology(folder)) {
      byte[] key = Ids.bytes(7);
      byte[] message = RecordCodec.bytes(new Message.Remove("client", 1, "http://a.example/", true));
      byte[] newer = message.clone();
      newer[0]++;
      cluster.pipe(key, newer);
      cluster.pipe(key, new byte[] {1, 99});
      cluster.pipe(key, new byte[0]);
      cluster.pipe(new byte[3], message);
      cluster.pipe(key, RecordCodec.bytes(new Message.Unlearn(1)));
      // What only steps tell each other.
      cluster.pipe(key, RecordCodec.bytes(new Message.Join(1)));
      assertEquals(6, cluster.metrics.get(Count.REFUSED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pages", "texts", "groups", "lists"})
  void aPageWhoseStateIsDamagedIsAnsweredAndStopsNothing(String store) {
    try (DrivenTopology cluster = new DrivenTopology(folder)) {
      GeneratedPages generated = new GeneratedPages(3);
      List<Copy> copies = generated.copies(4, 2);
      for (Copy copy : copies) {
        if (copy.url().contains("host0")) assertNotNull(cluster.ask(copy.page(1)));
      }
      cluster.damage(store);
      List<Message.Answer> answers = new ArrayList<>();
      for (Copy copy : copies)
        answers.add(cluster.answer(copy.page(2)));
      cluster.tick(Duration.ofSeconds(30));
      assertTrue(answers.stream().allMatch(answer -> answer.result() != null || !answer.failure().isEmpty()), store);
      assertTrue(cluster.metrics.get(Count.REFUSED) + cluster.metrics.get(Count.FAILED) > 0, store);
      // Others go on.
      for (Copy copy : new GeneratedPages(4).copies(3, 1))
        assertEquals(Verdict.NEW,
            cluster
                .ask(Page.of(copy.url().replace("host0", "other"), copy.html().getBytes(StandardCharsets.UTF_8))
                         .withFetchedAtMs(3))
                .verdict());
    }
  }
}
