package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stage that compares pairs: it answers as the library does, and a record that cannot be read fails its pairs
 * alone.
 */
class PairsStageTest {
  private static final StructType WANTED = StructType.fromDDL("place bigint, representative_place bigint");
  private static final List<String> ARTICLE = SyntheticCaptures.sentences(new Random(1), 20);
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path folder;
  private final List<Row> pages = new ArrayList<>();
  private final List<Row> meetings = new ArrayList<>();
  private final Counts counts = SPARK.counts();
  private int folders;

  private void page(long place, String url, List<String> sentences) {
    Row capture = SyntheticCaptures.capture(url, 1, SyntheticCaptures.html(sentences));
    add(place, capture, capture.getAs(6));
  }

  private void add(long place, Row capture, byte[] features) {
    pages.add(RowFactory.create(
        place, capture.get(0), capture.get(1), capture.get(2), 1L, "f", 0L, true, 0, features));
  }

  private List<Row> compare(int pairsOfAMeeting, Map<String, String> library, long... places) throws IOException {
    List<Row> wanted = new ArrayList<>();
    for (int i = 0; i < places.length; i += 2)
      wanted.add(RowFactory.create(places[i], places[i + 1]));
    StoredRows stored = SPARK.stored(pages, PagesStage.SCHEMA, folder.resolve("pages-" + folders++));
    return new PairsStage(pairsOfAMeeting, library, counts)
        .run(stored, PairsStage.places(stored.rows()), SPARK.session().createDataFrame(meetings, MeetingPlaces.SCHEMA),
            SPARK.session().createDataFrame(wanted, WANTED))
        .orderBy("place", "representative_place").collectAsList();
  }

  private static List<String> edited(int kept) {
    List<String> edit = new ArrayList<>(ARTICLE.subList(0, kept));
    edit.addAll(SyntheticCaptures.sentences(new Random(kept), 20 - kept));
    return edit;
  }

  @Test
  void aPairSaysWhatTheLibrarySaysOfIt() throws IOException {
    page(1, "http://a.example/", ARTICLE);
    page(2, "http://b.example/", edited(15));
    page(3, "http://c.example/", edited(0));
    List<Row> pairs = compare(4096, Map.of(), 2, 1, 3, 1);
    assertEquals(2, pairs.size());
    Row near = pairs.get(0);
    Result result = Features.decide(pages.get(0).getAs(9), pages.get(1).getAs(9), Map.of());
    assertTrue(near.getBoolean(2));
    assertEquals("NEAR", near.getString(4));
    assertEquals(result.resemblance(), near.getDouble(5));
    assertEquals(result.probability(), near.getDouble(9));
    assertEquals("http://b.example/", near.getString(12));
    assertEquals("http://a.example/", near.getString(14));
    assertFalse(pairs.get(1).getBoolean(2));
    assertEquals("too little in common", pairs.get(1).getString(3));
    assertEquals(Map.of("pairs", 2L, "accepted", 1L), counts.value());
  }

  @Test
  void representativesOfOneMeetingPlaceMeetThere() throws IOException {
    for (int i = 1; i <= 6; i++)
      page(i, "http://a" + i + ".example/", edited(12 + i));
    for (long place = 3; place <= 6; place++)
      meetings.add(RowFactory.create(place, 2L));
    long[] wanted = {6, 5, 6, 4, 6, 1, 5, 4, 5, 3, 4, 2, 3, 2, 2, 1};
    List<Row> together = compare(4096, Map.of(), wanted);
    assertEquals(8, together.size());
    // As many pairs as are allowed at one place, one less, and so few that each representative has several copies.
    for (int pairs : new int[] {6, 5, 1})
      assertEquals(together, compare(pairs, Map.of(), wanted), () -> "with " + pairs);
    meetings.clear();
    assertEquals(together, compare(4096, Map.of(), wanted));
  }

  @Test
  void manyPagesOfOneRepresentativeMeetSeveralCopiesOfIt() throws IOException {
    page(1, "http://a.example/", ARTICLE);
    long[] wanted = new long[2 * 40];
    for (int i = 0; i < 40; i++) {
      page(2 + i, "http://b" + i + ".example/", edited(15));
      wanted[2 * i] = 2 + i;
      wanted[2 * i + 1] = 1;
    }
    List<Row> pairs = compare(3, Map.of(), wanted);
    assertEquals(40, pairs.size());
    assertTrue(pairs.stream().allMatch(pair -> pair.getBoolean(2)));
  }

  @Test
  void featuresThatCannotBeReadFailTheirPairsAlone() throws IOException {
    page(1, "http://a.example/", ARTICLE);
    page(2, "http://b.example/", ARTICLE);
    Row capture = SyntheticCaptures.capture("http://c.example/", 1, SyntheticCaptures.html(ARTICLE));
    byte[] damaged = capture.<byte[]>getAs(6).clone();
    damaged[damaged.length / 2] ^= 1;
    add(3, capture, damaged);
    List<Row> pairs = compare(4096, Map.of(), 2, 1, 3, 1);
    assertTrue(pairs.get(0).getBoolean(2));
    assertFalse(pairs.get(1).getBoolean(2));
    assertEquals(1L, counts.value().get("failed_comparisons"));
  }
}
