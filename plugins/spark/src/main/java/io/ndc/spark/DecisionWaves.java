package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.size;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Rounds of decisions: waves over all undecided pages while these are many, then one task for what is left. Each wave
 * is a stage. One thread.
 */
final class DecisionWaves {
  private final StageStore stages;
  private final JobOptions options;
  private final Dataset<Row> links;
  private final List<String> waves = new ArrayList<>();
  private long undecided;
  private long waiting;

  /**
   * Nothing is decided yet.
   *
   * @param links of {@link CandidatesStage#SCHEMA}
   * @param linkedPages how many there are
   */
  DecisionWaves(StageStore stages, JobOptions options, Dataset<Row> links, long linkedPages) {
    this.stages = stages;
    this.options = options;
    this.links = links;
    this.undecided = linkedPages;
  }

  /**
   * Decides what the comparisons so far decide.
   *
   * @param round its number, from 0; after {@code --rounds} more no page waits
   * @param pairs of {@link PairRow#SCHEMA}, all so far
   */
  void run(int round, Dataset<Row> pairs) throws IOException {
    boolean last = round >= options.rounds();
    for (int wave = 0; undecided > 0; wave++) {
      boolean together = undecided <= options.localPages();
      long decided = decide("decisions-" + round + "-" + wave, pairs, together, last && together);
      if (together) return;
      if (decided == 0) {
        if (last) decide("decisions-" + round + "-rest", pairs, false, true);
        return;
      }
    }
  }

  private long decide(String name, Dataset<Row> pairs, boolean together, boolean last) throws IOException {
    Dataset<Row> open = DecisionsStage.undecided(links, pairs, decided());
    stages.stage(name, DecisionsStage.SCHEMA,
        observers -> new DecisionsStage(options.comparisons(), last, observers.counts).run(open, together));
    waves.add(name);
    long decided = stages.counter(name, "decided");
    waiting = stages.counter(name, "waits");
    undecided -= decided;
    return decided;
  }

  /** Whether pages wait for comparisons. */
  boolean isWaiting() {
    return waiting > 0;
  }

  /** The comparisons that pages wait for: columns place, representative_place. */
  Dataset<Row> missing() {
    return stages.read(waves.subList(waves.size() - 1, waves.size()), DecisionsStage.SCHEMA)
        .filter(size(col("missing")).gt(0))
        .select(col("place"), explode(col("missing")).as("representative_place"));
  }

  /** The pages that are decided, of {@link DecisionsStage#SCHEMA}. */
  Dataset<Row> decided() {
    return stages.read(waves, DecisionsStage.SCHEMA).filter(col("representative_place").notEqual(Place.NONE));
  }
}
