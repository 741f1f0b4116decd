package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.ArchiveItem;
import io.ndc.ArchiveItem.LeftOut;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counters of a job whose partitions may run twice, as Spark repeats them. */
class CountsTest {
  @Test
  void addsUp() {
    Counts counts = new Counts();
    assertTrue(counts.isZero());
    counts.add("pages", 2);
    counts.add("pages", 3);
    counts.add("records", 1);
    assertEquals(Map.of("pages", 5L, "records", 1L), counts.value());
    counts.reset();
    assertTrue(counts.isZero());
  }

  @Test
  void aPartitionThatRunsAgainIsCountedOnce() {
    Counts all = new Counts();
    Counts task = new Counts();
    task.add("pages", 5);
    all.merge(task);
    all.merge(task.copy());
    assertEquals(Map.of("pages", 5L), all.value());
  }

  @Test
  void pagesThatAnArchiveLacksAreCountedByReason() {
    Counts counts = new Counts();
    for (LeftOut reason : LeftOut.values()) {
      counts.item(new ArchiveItem(reason == LeftOut.NO ? ArchiveItem.Kind.NO_PAGE : ArchiveItem.Kind.LEFT_OUT, "a.warc",
          0, 0, true, true, false, false, "", "", 0, new byte[0], reason, ""));
    }
    assertEquals(Map.of("records", 5L, "no_page", 5L, "lost_revisits", 1L, "costly_revisits", 1L, "costly_codings", 1L),
        counts.value());
  }

  @Test
  void faultsOfAPartitionThatRunsAgainAreToldOnceAndAreBounded() {
    Counts all = new Counts();
    Counts task = new Counts();
    for (int i = 0; i < 100; i++)
      task.add(new Counts.Fault("b.warc", 100 - i, "damaged"));
    all.merge(task);
    all.merge(task);
    assertEquals(Counts.FAULTS_OF_A_TASK, all.faults().size());
    assertEquals(81, all.faults().get(0).offset());
  }
}
