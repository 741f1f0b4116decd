package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Stages 2 and 3: boilerplate is learned from sketches, and taken out of the features. */
class PagesStageTest {
  private static final String BOILERPLATE =
      "The boilerplate of this site says the same words on each and every one of its pages, at some length, so that it"
          + " looks like text. It goes on with a second sentence, which is as long as the first one of the two.";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path folder;
  private final List<Row> captures = new ArrayList<>();
  private final StageStore.Observers observers = SPARK.observers();
  private final Counts counts = observers.counts;
  private int folders;

  private void site(String host, int pages, long seed) {
    Random random = new Random(seed);
    for (int page = 0; page < pages; page++) {
      String article = SyntheticCaptures.html(SyntheticCaptures.sentences(random, 10));
      captures.add(SyntheticCaptures.capture("http://" + host + "/" + page, 1000 + page,
          article.replace("<body>", "<body><div>" + BOILERPLATE + "</div>")));
    }
  }

  private Map<String, Row> pages(int partitions, int sitePages, long siteBytes) throws IOException {
    SPARK.session().conf().set("spark.sql.shuffle.partitions", Integer.toString(partitions));
    StoredRows stored =
        SPARK.stored(captures, CapturesStage.SCHEMA, folder.resolve("captures-" + folders++));
    Map<String, Row> pages = new TreeMap<>();
    for (Row page : SPARK.pages(stored, sitePages, siteBytes, observers).collectAsList())
      pages.put(page.getAs("url"), page);
    return pages;
  }

  private Map<String, Row> pages() throws IOException {
    return pages(2, 4096, SitesStage.SITE_BYTES);
  }

  @Test
  void theBoilerplateOfASiteGivesNoKeys() throws IOException {
    site("known.example", 10, 1);
    Set<Long> common = null;
    for (Row page : pages().values()) {
      Set<Long> keys = new HashSet<>();
      for (long key : Features.keys(page.getAs("features")))
        keys.add(key);
      if (common == null) common = new HashSet<>(keys);
      common.retainAll(keys);
    }
    assertEquals(Set.of(), common);
    assertEquals(10L, counts.value().get(BoilerplateRemoval.BLOCKS));
  }

  @Test
  void aShortPageKeepsWhatIsNotEverywhere() throws IOException {
    site("known.example", 10, 1);
    Random random = new Random(2);
    List<String> note = SyntheticCaptures.sentences(random, 1);
    for (int page = 0; page < 3; page++) {
      List<String> text = new ArrayList<>(note);
      // A paragraph ends behind each fourth sentence.
      text.addAll(List.of("", "", ""));
      text.addAll(SyntheticCaptures.sentences(random, 10));
      captures.add(onTheSite("http://known.example/long-" + page, text));
    }
    captures.add(onTheSite("http://known.example/short", note));
    captures.add(SyntheticCaptures.capture("http://other.example/", 1, SyntheticCaptures.html(note)));
    Map<String, Row> pages = pages();
    long[] keys = Features.keys(pages.get("http://known.example/short").getAs("features"));
    assertTrue(keys.length > 0);
    assertArrayEquals(Features.keys(pages.get("http://other.example/").getAs("features")), keys);
    for (int page = 0; page < 3; page++) {
      Set<Long> ofALongOne = new HashSet<>();
      for (long key : Features.keys(pages.get("http://known.example/long-" + page).getAs("features")))
        ofALongOne.add(key);
      for (long key : keys)
        assertFalse(ofALongOne.contains(key), "the note is boilerplate there");
    }
  }

  private static Row onTheSite(String url, List<String> sentences) {
    return SyntheticCaptures.capture(url, 5000,
        SyntheticCaptures.html(sentences).replace("<body>", "<body><div>" + BOILERPLATE + "</div>"));
  }

  @Test
  void whatStandsOnASiteManyTimesStays() throws IOException {
    site("copies.example", 1, 1);
    Row first = captures.get(0);
    String article = SyntheticCaptures.html(SyntheticCaptures.sentences(new Random(1), 10));
    for (int copy = 1; copy < 20; copy++)
      captures.add(SyntheticCaptures.capture("http://copies.example/" + copy, 1000,
          article.replace("<body>", "<body><div>" + BOILERPLATE + "</div>")));
    Row page = pages().get("http://copies.example/0");
    assertArrayEquals(first.<byte[]>getAs(6), page.<byte[]>getAs("features"));
  }

  @Test
  void ofOneUrlTheLatestCaptureStays() throws IOException {
    captures.add(SyntheticCaptures.capture("http://a.example/", 2000, "<p>The second text of this page."));
    captures.add(SyntheticCaptures.capture("http://a.example/", 1000, "<p>The first text of this page."));
    captures.add(SyntheticCaptures.capture("http://a.example/b", 1000, "<p>Another page."));
    Map<String, Row> pages = pages();
    assertEquals(Set.of("http://a.example/", "http://a.example/b"), pages.keySet());
    assertEquals(2000L, pages.get("http://a.example/").<Long>getAs("fetched_at_ms"));
    assertEquals(1L, counts.value().get("recaptures"));
  }

  @Test
  void aLargeSiteIsCutWhateverThePartitionsAre() throws IOException {
    site("large.example", 60, 3);
    Map<String, Row> one = pages(1, 16, SitesStage.SITE_BYTES);
    Map<String, Row> other = pages(7, 16, SitesStage.SITE_BYTES);
    assertEquals(60, one.size());
    assertEquals(one.keySet(), other.keySet());
    for (String url : one.keySet())
      assertArrayEquals(one.get(url).<byte[]>getAs("features"), other.get(url).<byte[]>getAs("features"), url);
  }

  @Test
  void noMoreBytesOfASiteAreHeldThanAllowed() throws IOException {
    site("large.example", 30, 3);
    long size = captures.get(0).<byte[]>getAs(6).length;
    assertEquals(30, pages(2, 4096, 5 * size).size());
    assertTrue(counts.value().get("site_cuts") >= 4, counts.value().toString());
  }

  @Test
  void pagesWithoutTextAreKept() throws IOException {
    captures.add(SyntheticCaptures.capture("http://a.example/empty", 1, ""));
    Row page = pages().get("http://a.example/empty");
    assertFalse(page.<Boolean>getAs("has_text"));
    assertEquals(1L, counts.value().get("no_text"));
  }

  @Test
  void ofTwoPagesOfOnePlaceThatOfTheLargerKeyIsLeftOut() throws IOException {
    site("a.example", 2, 5);
    List<Row> pages = new ArrayList<>(pages().values());
    Row first = pages.get(0);
    List<Row> twice = new ArrayList<>(pages);
    byte[] smaller = new byte[16];
    twice.add(RowFactory.create(first.get(0), smaller, "http://twin.example/", first.get(3), first.get(4),
        first.get(5), first.get(6), first.get(7), first.get(8), first.get(9)));
    Dataset<Row> all = SPARK.session().createDataFrame(twice, PagesStage.SCHEMA);
    List<Row> out = PagesStage.collisions(all, counts).collectAsList();
    assertEquals(1, out.size());
    assertArrayEquals(first.<byte[]>getAs("page"), out.get(0).<byte[]>getAs(0));
    assertEquals(1L, counts.value().get("place_collisions"));
  }
}
