package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void faultsOfAPartitionThatRunsAgainAreToldOnceAndAreBounded() {
    Faults all = new Faults();
    Faults task = new Faults();
    for (int i = 0; i < 100; i++)
      task.add(new Faults.Fault("b.warc", 100 - i, "damaged"));
    all.merge(task);
    all.merge(task);
    assertEquals(Faults.LIMIT_OF_A_TASK, all.value().size());
    assertEquals(81, all.value().get(0).offset);
  }
}
