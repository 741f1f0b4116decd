package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.slice;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Stages 5 and 6 in turns: comparisons, decisions, the comparisons that these ask for, until no page waits. Decisions
 * are made in waves over all undecided pages while these are many, then by one task for what is left; each wave is a
 * stage. One thread.
 */
final class Grouping {
  /** Candidates of most votes that a page is compared with before it is known whether they are representatives. */
  private static final int FIRST_COMPARISONS = 4;

  private final StageStore stages;
  private final JobOptions options;
  private final int pairsOfAMeeting;
  private final List<String> rounds = new ArrayList<>();
  private final List<String> waves = new ArrayList<>();
  private long undecided;
  private long waiting;

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
   */
  void run(StoredRows pages, Dataset<Row> places, Dataset<Row> links) throws IOException {
    Dataset<Row> meetings =
        stages.stage("meetings", MeetingPlaces.SCHEMA, counts -> MeetingPlaces.of(links));
    // Most candidates are representatives, or will be: few pages have to wait for a second round.
    int first = Math.min(FIRST_COMPARISONS, options.comparisons);
    compare(pages, places, meetings,
        links.select(col("place"), explode(slice(col("candidates"), 1, first)).as("representative_place")));
    undecided = stages.counter("candidates", "linked_pages");
    decide(0, links);
    for (int round = 1; waiting > 0; round++) {
      compare(pages, places, meetings, missing());
      decide(round, links);
    }
  }

  /** Decides what the comparisons so far decide; after {@code --rounds} more no page waits. */
  private void decide(int round, Dataset<Row> links) throws IOException {
    boolean last = round >= options.rounds;
    for (int wave = 0; undecided > 0; wave++) {
      boolean together = undecided <= options.localPages;
      long before = undecided;
      decide("decisions-" + round + "-" + wave, links, together, last && together);
      if (together) return;
      if (undecided == before) {
        if (last) decide("decisions-" + round + "-rest", links, false, true);
        return;
      }
    }
  }

  private void decide(String name, Dataset<Row> links, boolean together, boolean last) throws IOException {
    Dataset<Row> open = DecisionsStage.undecided(links, pairs(), decided());
    stages.stage(name, DecisionsStage.SCHEMA,
        counts -> new DecisionsStage(options.comparisons, last, counts).run(open, together));
    waves.add(name);
    undecided -= stages.counter(name, "decided");
    waiting = stages.counter(name, "waits");
  }

  /** The comparisons that pages wait for: columns place, representative_place. */
  private Dataset<Row> missing() {
    return stages.read(waves.subList(waves.size() - 1, waves.size()), DecisionsStage.SCHEMA)
        .filter(size(col("missing")).gt(0))
        .select(col("place"), explode(col("missing")).as("representative_place"));
  }

  private void compare(StoredRows pages, Dataset<Row> places, Dataset<Row> meetings, Dataset<Row> wanted)
      throws IOException {
    String name = "pairs-" + rounds.size();
    Map<String, String> library = LibraryOptions.ofDecisions(options.library());
    stages.stage(name, PairRow.SCHEMA,
        counts -> new PairsStage(pairsOfAMeeting, library, counts).run(pages, places, meetings, wanted));
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

  /** The linked pages that are decided, with their representatives, of {@link DecisionsStage#SCHEMA}. */
  Dataset<Row> decided() {
    return stages.read(waves, DecisionsStage.SCHEMA).filter(col("representative_place").notEqual(Place.NONE));
  }
}
