package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.slice;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Stages 5 and 6 in turns: comparisons, decisions, the comparisons that these ask for, until no page waits. One thread.
 */
final class Grouping {
  /** Candidates of most votes that a page is compared with before it is known whether they are representatives. */
  private static final int FIRST_COMPARISONS = 4;

  private final StageStore stages;
  private final JobOptions options;
  private final int pairsOfAMeeting;
  private final List<String> rounds = new ArrayList<>();
  private Dataset<Row> decided;

  Grouping(StageStore stages, JobOptions options) {
    this(stages, options, PairsStage.PAIRS_OF_A_MEETING);
  }

  /** With another number of pairs that meet at one place, for tests. */
  Grouping(StageStore stages, JobOptions options, int pairsOfAMeeting) {
    this.stages = stages;
    this.options = options;
    this.pairsOfAMeeting = pairsOfAMeeting;
  }

  /**
   * Groups pages.
   *
   * @param pages of {@link PagesStage#SCHEMA}
   * @param places of {@link PairsStage#PLACES}, of those that are grouped
   * @param links of {@link CandidatesStage#SCHEMA}
   * @throws IOException if a stage cannot be written or read
   */
  void run(StoredRows pages, Dataset<Row> places, Dataset<Row> links) throws IOException {
    Dataset<Row> meetings =
        stages.stage("meetings", MeetingPlaces.SCHEMA, observers -> MeetingPlaces.of(links));
    // Most candidates are representatives, or will be: few pages have to wait for a second round.
    int first = Math.min(FIRST_COMPARISONS, options.comparisons());
    compare(pages, places, meetings,
        links.select(col("place"), explode(slice(col("candidates"), 1, first)).as("representative_place")));
    DecisionWaves waves = new DecisionWaves(stages, options, links, stages.counter("candidates", "linked_pages"));
    for (int round = 0;; round++) {
      waves.run(round, pairs());
      if (!waves.isWaiting()) break;
      compare(pages, places, meetings, waves.missing());
    }
    decided = waves.decided();
  }

  private void compare(StoredRows pages, Dataset<Row> places, Dataset<Row> meetings, Dataset<Row> wanted)
      throws IOException {
    String name = "pairs-" + rounds.size();
    stages.stage(name, PairRow.SCHEMA, observers ->
        new PairsStage(pairsOfAMeeting, options.library(), observers.counts).run(pages, places, meetings, wanted));
    rounds.add(name);
  }

  /** How often pages were compared. */
  int rounds() {
    return rounds.size();
  }

  /** All comparisons, of {@link PairRow#SCHEMA}; so far. */
  Dataset<Row> pairs() {
    return stages.read(rounds, PairRow.SCHEMA);
  }

  /** Each linked page with its representative, of {@link DecisionsStage#SCHEMA}; after {@link #run}. */
  Dataset<Row> decided() {
    return decided;
  }
}
