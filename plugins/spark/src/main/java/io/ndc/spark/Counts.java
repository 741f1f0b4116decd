package io.ndc.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * Counters of a stage. Spark runs a task again when its output was lost, and would count it twice; so these are kept by
 * partition, and what a partition says again replaces what it said. Values of a partition depend on its data alone.
 * Tasks add; the driver reads when the stage is done. One thread in a task.
 */
final class Counts extends AccumulatorV2<Map.Entry<String, Long>, Map<String, Long>> {
  private final Map<String, Map<Integer, Long>> values = new HashMap<>();

  /** Adds to a counter of this task's partition. */
  void add(String name, long count) {
    values.computeIfAbsent(name, unused -> new HashMap<>()).merge(partition(), count, Long::sum);
  }

  @Override
  public void add(Map.Entry<String, Long> entry) {
    add(entry.getKey(), entry.getValue());
  }

  /** The number of the task that runs here; −1 in the driver. */
  static int partition() {
    TaskContext task = TaskContext.get();
    return task == null ? -1 : task.partitionId();
  }

  @Override
  public boolean isZero() {
    return values.isEmpty();
  }

  @Override
  public Counts copy() {
    Counts copy = new Counts();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    values.clear();
  }

  @Override
  public void merge(AccumulatorV2<Map.Entry<String, Long>, Map<String, Long>> other) {
    ((Counts) other).values.forEach(
        (name, byPartition) -> values.computeIfAbsent(name, unused -> new HashMap<>()).putAll(byPartition));
  }

  /** The sums over all partitions, by name. */
  @Override
  public Map<String, Long> value() {
    Map<String, Long> sums = new TreeMap<>();
    values.forEach((name, byPartition) -> sums.put(name, byPartition.values().stream().mapToLong(n -> n).sum()));
    return sums;
  }
}
