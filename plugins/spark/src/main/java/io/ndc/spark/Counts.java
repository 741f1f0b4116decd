package io.ndc.spark;

import io.ndc.ArchiveItem;
import io.ndc.spark.archive.ReadLog;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.util.AccumulatorV2;

/**
 * What a stage counts, and what was wrong with its input. Spark runs a task again when its output was lost, and would
 * count it twice; so all is kept by partition, and what a partition says again replaces what it said. What a partition
 * says depends on its data alone. Tasks add; the driver reads when the stage is done. One thread in a task.
 */
final class Counts extends AccumulatorV2<Counts.Fault, Map<String, Long>> implements ReadLog {
  /** At most so many faults of a partition are kept, and so many in all; the counters have the true numbers. */
  static final int FAULTS_OF_A_TASK = 20;
  static final int FAULTS = 1000;

  /** A fault of the input, at an offset of the file, in bytes; −1: all of it. */
  record Fault(String file, long offset, String reason) implements Serializable {}

  private final Map<String, Map<Integer, Long>> values = new HashMap<>();
  private final Map<Integer, List<Fault>> faults = new TreeMap<>();

  /** Adds to a counter of this task's partition. */
  void add(String name, long count) {
    values.computeIfAbsent(name, unused -> new HashMap<>()).merge(partition(), count, Long::sum);
  }

  /** The rows, each of which is counted when a task makes it. */
  Dataset<Row> counted(String name, Dataset<Row> rows) {
    return rows.map((MapFunction<Row, Row>) row -> {
      add(name, 1);
      return row;
    }, Encoders.row(rows.schema()));
  }

  @Override
  public void add(Fault fault) {
    List<Fault> ofTask = faults.computeIfAbsent(partition(), unused -> new ArrayList<>());
    if (ofTask.size() < FAULTS_OF_A_TASK) ofTask.add(fault);
  }

  @Override
  public void item(ArchiveItem item) {
    if (item.isRecord()) add("records", 1);
    switch (item.kind()) {
      case PAGE -> {
        add("pages", 1);
        add("page_bytes", item.body().length);
        if (item.isTruncated()) add("truncated", 1);
      }
      case DAMAGE -> { }
      case OTHER_STATUS -> add("other_status", 1);
      default -> add("no_page", 1);
    }
    switch (item.leftOut()) {
      case LOST_REVISIT -> add("lost_revisits", 1);
      case COSTLY_REVISIT -> add("costly_revisits", 1);
      case COSTLY_CODINGS -> add("costly_codings", 1);
      default -> { }
    }
  }

  @Override
  public void failed(String path, long offset, String reason) {
    add(offset == WHOLE_FILE ? "failed_files" : "damaged", 1);
    add(new Fault(path, offset, reason));
  }

  /** The number of the task that runs here; −1 in the driver. */
  private static int partition() {
    TaskContext task = TaskContext.get();
    return task == null ? -1 : task.partitionId();
  }

  @Override
  public boolean isZero() {
    return values.isEmpty() && faults.isEmpty();
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
    faults.clear();
  }

  @Override
  public void merge(AccumulatorV2<Fault, Map<String, Long>> other) {
    ((Counts) other).values.forEach(
        (name, byPartition) -> values.computeIfAbsent(name, unused -> new HashMap<>()).putAll(byPartition));
    ((Counts) other).faults.forEach((partition, ofTask) -> {
      // If there are very many faults, those of the partitions that end first are kept.
      if (faults.size() < FAULTS || faults.containsKey(partition)) faults.put(partition, new ArrayList<>(ofTask));
    });
  }

  /** The sums over all partitions, by name. */
  @Override
  public Map<String, Long> value() {
    Map<String, Long> sums = new TreeMap<>();
    values.forEach((name, byPartition) -> sums.put(name, byPartition.values().stream().mapToLong(n -> n).sum()));
    return sums;
  }

  /** By file and offset. */
  List<Fault> faults() {
    return faults.values().stream().flatMap(List::stream)
        .sorted(Comparator.comparing(Fault::file).thenComparingLong(Fault::offset)).limit(FAULTS).toList();
  }
}
