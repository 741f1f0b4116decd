package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where copies of one page meet, so that few comparisons find them. */
class MeetingPlacesTest {
  private static final int STEPS = 4;
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  private static Map<Long, Long> meetings(Map<Long, List<Long>> candidates) {
    List<Row> links = new ArrayList<>();
    candidates.forEach((place, of) -> links.add(
        RowFactory.create(place, of.toArray(Long[]::new), of.stream().map(unused -> 1L).toArray(Long[]::new))));
    Map<Long, Long> meetings = new TreeMap<>();
    for (Row row : MeetingPlaces.of(SPARK.session().createDataFrame(links, CandidatesStage.SCHEMA)).collectAsList())
      meetings.put(row.getLong(0), row.getLong(1));
    return meetings;
  }

  @Test
  void copiesOfOnePageMeetAtItsPlace() {
    assertEquals(Map.of(12L, 10L, 13L, 10L, 14L, 10L, 25L, 20L),
        meetings(Map.of(12L, List.of(10L, 3L), 13L, List.of(12L, 10L), 14L, List.of(13L, 12L, 10L, 4L), 25L,
            List.of(20L))));
  }

  @Test
  void theyAreSoManyStepsAwayAlongTheLikeliestCandidates() {
    Random random = new Random(5);
    Map<Long, List<Long>> candidates = new HashMap<>();
    for (long place = 1; place < 300; place++) {
      if (random.nextInt(10) > 0)
        candidates.put(place,
            List.of(place - 1 - random.nextInt((int) Math.min(place, 5)), (long) random.nextInt((int) place)));
    }
    Map<Long, Long> expected = new TreeMap<>();
    for (long place : candidates.keySet()) {
      long at = place;
      for (int step = 0; step < STEPS && candidates.containsKey(at); step++)
        at = candidates.get(at).get(0);
      expected.put(place, at);
    }
    assertEquals(expected, meetings(candidates));
  }
}
