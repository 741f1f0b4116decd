package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.Verdict;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
