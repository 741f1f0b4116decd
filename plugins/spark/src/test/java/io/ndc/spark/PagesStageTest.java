package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.SiteModel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Stages 2 and 3: models of hosts are learned from sketches, and go into the features. */
class PagesStageTest {
  private static final String BOILERPLATE =
      "The boilerplate of this site says the same words on each and every one of its pages, at some length, so that it"
          + " looks like text. It goes on with a second sentence, which is as long as the first one of the two.";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path folder;
  private final List<Row> captures = new ArrayList<>();
  private final Counts counts = SPARK.counts();
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
    for (Row page : SPARK.pages(stored, sitePages, siteBytes, counts).collectAsList())
      pages.put(page.getAs("url"), page);
    return pages;
  }

  private Map<String, Row> pages() throws IOException {
    return pages(2, 4096, SitesStage.SITE_BYTES);
  }

  @Test
  void aPageCarriesWhatAModelOfItsHostSaysOfIt() throws IOException {
    site("www.known.example", 6, 1);
    site("known.example", 5, 2);
    site("elsewhere.known.example", 2, 3);
    captures.add(SyntheticCaptures.capture("http://known.example/empty", 1, "<title>t</title>"));
    Map<String, Row> pages = pages();
    assertEquals(captures.size(), pages.size());
    Map<String, SiteModel> models = new TreeMap<>();
    captures.sort(Comparator.comparing(capture -> capture.getString(1)));
    for (Row capture : captures) {
      if (!isEmpty(capture))
        models.computeIfAbsent(host(capture), unused -> new SiteModel()).learn(Features.parts(capture.getAs(6)));
    }
    assertEquals(2, models.size());
    for (Row capture : captures) {
      byte[] features = capture.getAs(6);
      byte[] known = isEmpty(capture)
          ? features
          : Features.withSite(features, models.get(host(capture)).save(Features.parts(features)));
      assertArrayEquals(known, pages.get(capture.getString(1)).<byte[]>getAs("features"), capture.getString(1));
    }
    models.values().forEach(SiteModel::close);
  }

  private static boolean isEmpty(Row capture) {
    return capture.getString(1).endsWith("/empty");
  }

  private static String host(Row capture) {
    return URI.create(capture.getString(1)).getHost().replaceFirst("^www[.]", "");
  }

  @Test
  void theBoilerplateOfAHostGivesNoKeys() throws IOException {
    site("known.example", 10, 1);
    Set<Long> common = null;
    for (Row page : pages().values()) {
      Set<Long> keys = LongStream.of(Features.keys(page.getAs("features"))).boxed().collect(Collectors.toSet());
      assertFalse(keys.isEmpty());
      if (common == null) common = keys;
      common.retainAll(keys);
    }
    assertEquals(Set.of(), common);
  }

  @Test
  void ofPagesWithoutASiteNothingIsKnown() throws IOException {
    for (int page = 0; page < 5; page++)
      captures.add(SyntheticCaptures.capture("page-" + page, 1, SyntheticCaptures.html(List.of(BOILERPLATE))));
    Map<String, Row> pages = pages();
    for (Row capture : captures)
      assertArrayEquals(capture.<byte[]>getAs(6), pages.get(capture.getString(1)).<byte[]>getAs("features"));
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
