package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.size;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A round of decisions: waves over all undecided pages while these are many, then one task in the order of places. Each
 * wave is a stage. One thread.
 */
final class Deciding {
  private final StageStore stages;
  private final DecisionsStage decisions;
  private final long localPages;
  private final String name;
  private final boolean last;
  private Dataset<Row> waiting;
  private boolean isWaiting;

  /**
   * A round.
   *
   * @param localPages so many undecided pages are decided by one task
   * @param last whether every page must be decided now
   */
  Deciding(StageStore stages, DecisionsStage decisions, long localPages, int round, boolean last) {
    this.stages = stages;
    this.decisions = decisions;
    this.localPages = localPages;
    this.name = "decisions-" + round;
    this.last = last;
  }

  /**
   * Decides what can be decided; see {@link DecisionsStage#undecided}.
   *
   * @return of {@link DecisionsStage#SCHEMA}, without the pages that wait
   */
  Dataset<Row> run(Dataset<Row> links, Dataset<Row> pairs, Dataset<Row> decidedBefore) throws IOException {
    Dataset<Row> decided = decidedBefore;
    Dataset<Row> here = null;
    long left = links.count() - decidedBefore.count();
    for (int wave = 0;; wave++) {
      boolean inOrder = left <= localPages;
      Dataset<Row> open = decisions.undecided(links, pairs, decided);
      Dataset<Row> made = stages.stage(name + "-" + wave, DecisionsStage.SCHEMA, observers ->
          inOrder ? decisions.inOrder(open, last) : decisions.asOfNow(open, false));
      Dataset<Row> now = made.filter(col("representative_place").notEqual(Place.NONE));
      here = here == null ? now : here.unionByName(now);
      decided = decided.unionByName(now);
      long count = now.count();
      left -= count;
      waiting = made.filter(col("representative_place").equalTo(Place.NONE));
      isWaiting = left > 0;
      if (inOrder || left == 0) return here;
      if (count == 0) return last ? here.unionByName(decideAnyway(links, pairs, decided)) : here;
    }
  }

  private Dataset<Row> decideAnyway(Dataset<Row> links, Dataset<Row> pairs, Dataset<Row> decided) throws IOException {
    Dataset<Row> open = decisions.undecided(links, pairs, decided);
    isWaiting = false;
    return stages.stage(name + "-rest", DecisionsStage.SCHEMA, observers -> decisions.asOfNow(open, true));
  }

  /** Whether pages wait for comparisons. */
  boolean isWaiting() {
    return isWaiting;
  }

  /** The comparisons that pages wait for: columns place, representative_place. */
  Dataset<Row> missing() {
    return waiting.filter(size(col("missing")).gt(0))
        .select(col("place"), explode(col("missing")).as("representative_place"));
  }
}
