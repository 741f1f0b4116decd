package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What {@link GroupingTest} does not see of the stage: from where on equal texts meet by their digest, and
 * what is counted.
 */
class CandidatesStageTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  private static final StructType PAGES =
      StructType.fromDDL("place bigint, site string, has_text boolean, features binary");

  private final Counts counts = SPARK.counts();
  private final CandidatesStage.Limits limits = new CandidatesStage.Limits();
  private final List<Row> pages = new ArrayList<>();

  private void page(long place, String html) {
    Row capture = SyntheticCaptures.capture("http://host-" + place + ".example/", 1, html);
    pages.add(RowFactory.create(Place.NEW + place, capture.getString(2), true, capture.getAs(6)));
  }

  private List<Row> candidates() {
    return new CandidatesStage(limits, counts).run(SPARK.session().createDataFrame(pages, PAGES))
        .collectAsList();
  }

  @Test
  void equalTextsMeetByTheirDigestAsWellFromTheExactWidthOn() {
    page(1, "<p>Closed for today.");
    page(2, "<p>Closed for today.");
    List<Row> byKeys = candidates();
    limits.exactWidth = 5;
    List<Row> all = candidates();
    assertEquals(1, all.size());
    assertEquals(Place.NEW + 2, all.get(0).getLong(0));
    assertEquals(List.of(Place.NEW + 1), all.get(0).getList(1));
    assertEquals(byKeys.get(0).<Long>getList(2).get(0) + KeyLinks.VOTE / 2, all.get(0).<Long>getList(2).get(0));
  }

  private static long giantInSample(String... options) {
    List<String> arguments = new ArrayList<>(List.of("--input", "none", "--output", "none"));
    arguments.addAll(List.of(options));
    return CandidatesStage.Limits.of(JobOptions.parse(arguments.toArray(new String[0]))).giantInSample;
  }

  @Test
  void noKeyIsGiantThatTheUserWantsToKeep() {
    assertEquals(8192, giantInSample());
    // Keys on two million pages, twice as many as are kept.
    assertEquals(31_250, giantInSample("--option", "x_hot_groups_limit=1000000"));
  }

  @Test
  void giantKeysAreCounted() {
    String html = SyntheticCaptures.html(GeneratedArchive.article(1));
    for (int copy = 0; copy < 6; copy++)
      page(64L * copy, html);
    limits.giantInSample = 5;
    assertEquals(List.of(), candidates());
    assertTrue(counts.value().get("giant_keys") > 10, counts.value()::toString);
  }
}
