package io.ndc.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.util.AccumulatorV2;

/**
 * What was wrong with the input, for the summary: at most {@link #LIMIT_OF_A_TASK} of a partition and {@link #LIMIT} in
 * all; the counters have the true numbers. By partition, as {@link Counts}.
 */
final class Faults extends AccumulatorV2<Faults.Fault, List<Faults.Fault>> {
  static final int LIMIT_OF_A_TASK = 20;
  static final int LIMIT = 1000;

  /** One fault. */
  static final class Fault implements Serializable {
    final String file;
    /** In the file, in bytes; −1: all of it. */
    final long offset;
    final String reason;

    Fault(String file, long offset, String reason) {
      this.file = file;
      this.offset = offset;
      this.reason = reason;
    }
  }

  private final Map<Integer, List<Fault>> byPartition = new TreeMap<>();

  @Override
  public void add(Fault fault) {
    List<Fault> faults = byPartition.computeIfAbsent(Counts.partition(), unused -> new ArrayList<>());
    if (faults.size() < LIMIT_OF_A_TASK) faults.add(fault);
  }

  @Override
  public boolean isZero() {
    return byPartition.isEmpty();
  }

  @Override
  public Faults copy() {
    Faults copy = new Faults();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    byPartition.clear();
  }

  @Override
  public void merge(AccumulatorV2<Fault, List<Fault>> other) {
    ((Faults) other).byPartition.forEach((partition, faults) -> {
      // If there are very many faults, those of the partitions that end first are kept.
      if (byPartition.size() < LIMIT || byPartition.containsKey(partition))
        byPartition.put(partition, new ArrayList<>(faults));
    });
  }

  /** By file and offset. */
  @Override
  public List<Fault> value() {
    List<Fault> all = new ArrayList<>();
    byPartition.values().forEach(all::addAll);
    all.sort(Comparator.comparing((Fault fault) -> fault.file).thenComparingLong(fault -> fault.offset));
    return all.size() <= LIMIT ? all : new ArrayList<>(all.subList(0, LIMIT));
  }
}
