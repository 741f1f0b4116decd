package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

/** Votes for candidates are added up page by page, and the best ones stay. */
class BestCandidatesTest {
  private final Counts counts = new Counts();
  private final List<Row> links = new ArrayList<>();

  private void link(long place, long candidate, long vote) {
    links.add(RowFactory.create(place, candidate, vote));
  }

  private List<String> best(int limit) {
    List<String> rows = new ArrayList<>();
    new PresentRows(new BestCandidates(links.iterator(), limit, counts)::next).forEachRemaining(row -> rows.add(
        row.getLong(0) + ": " + List.of((Long[]) row.get(1)) + " " + List.of((Long[]) row.get(2))));
    return rows;
  }

  @Test
  void addsUpTheVotesOfACandidate() {
    link(9, 1, 5);
    link(9, 1, 6);
    link(9, 2, 10);
    assertEquals(List.of("9: [1, 2] [11, 10]"), best(16));
  }

  @Test
  void keepsThoseOfMostVotesAndOfEqualsTheLarger() {
    link(9, 1, 5);
    link(9, 2, 7);
    link(9, 3, 5);
    link(9, 4, 5);
    assertEquals(List.of("9: [2, 1] [7, 5]"), best(2));
    assertEquals(2, counts.value().get("links"));
  }

  @Test
  void pagesDoNotMix() {
    link(8, 1, 5);
    link(9, 1, 6);
    assertEquals(List.of("8: [1] [5]", "9: [1] [6]"), best(16));
    assertEquals(2, counts.value().get("linked_pages"));
  }
}
