package io.ndc.spark;

import static io.ndc.spark.GeneratedArchive.DAY_1;
import static io.ndc.spark.GeneratedArchive.article;
import static io.ndc.spark.GeneratedArchive.edited;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.Result;
import io.ndc.SiteModel;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pages are decided with what is known of their sites: by the job as by the library, given the same models. */
class KnownSitesTest {
  private static final Map<String, String> LIBRARY = JobOptions.parse("--input", "i", "--output", "o").library();
  private static final String LIST_1 = "http://news.example/list/1";
  private static final String LIST_2 = "http://news.example/list/2";
  private static final String EDITED = "http://mirror.example/edited";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  /** By URL. */
  private static final Map<String, String> PAGES = new TreeMap<>();
  private static PartitionRun run;

  @BeforeAll
  static void run(@TempDir Path folder) throws IOException {
    for (int number = 0; number < 12; number++)
      page("http://news.example/" + number, framed("news", "Article " + number, text(article(number))));
    page("http://news.example/corrected", framed("news", "Article 4", text(edited(article(4), 12))));
    page(LIST_1, framed("news", "All of March", list(1)));
    page(LIST_2, framed("news", "All of April", list(2)));
    for (int number = 5; number < 10; number++)
      page("http://mirror.example/" + number, framed("mirror", "Article " + number, text(article(number))));
    page(EDITED, framed("mirror", "Article 3", text(edited(article(3), 3))));
    // Nothing else is known of its host.
    page("http://alone.example/", framed("alone", "Article 9", text(edited(article(9), 4))));
    GeneratedArchive archive = new GeneratedArchive();
    PAGES.forEach((url, html) -> archive.page(url, DAY_1, html));
    run = new PartitionRun(SPARK.session(), folder.resolve("output"), "--input",
        archive.write(folder.resolve("pages.warc")).toString(), "--partitions", "3").expect(NdPartition.DONE);
  }

  private static void page(String url, String html) {
    PAGES.put(url, html);
  }

  /** Within a frame that is longer than the content. */
  private static String framed(String name, String title, String content) {
    Random random = new Random(name.hashCode());
    return "<html><head><title>" + title + " - " + name + "</title></head><body>"
        + text(SyntheticCaptures.sentences(random, 80)) + content
        + text(SyntheticCaptures.sentences(random, 40)) + "</body></html>";
  }

  private static String text(List<String> sentences) {
    String html = SyntheticCaptures.html(sentences);
    return "<div>" + html.substring(html.indexOf("<body>") + 6, html.indexOf("</body>")) + "</div>";
  }

  private static String list(int number) {
    StringBuilder html = new StringBuilder("<ul>");
    for (String entry : SyntheticCaptures.sentences(new Random(1000 + number), 12))
      html.append("<li><a href=\"/").append(entry.hashCode()).append("\">").append(entry).append("</a></li>");
    return html.append("</ul>").toString();
  }

  private static Page page(String url) {
    return Page.of(url, PAGES.get(url).getBytes(StandardCharsets.UTF_8)).withContentType("text/html")
        .withFetchedAtMs(1);
  }

  private static byte[] features(String url) {
    return Features.compute(page(url), LIBRARY);
  }

  /** The records of all pages with what their hosts know, by URL. */
  private static Map<String, byte[]> known() {
    Map<String, byte[]> known = new HashMap<>();
    Map<String, SiteModel> models = new HashMap<>();
    for (String url : PAGES.keySet()) {
      known.put(url, features(url));
      models.computeIfAbsent(URI.create(url).getHost(), unused -> new SiteModel())
          .learn(Features.parts(known.get(url)));
    }
    known.replaceAll((url, features) -> Features.withSite(features, models.get(URI.create(url).getHost()).save()));
    models.values().forEach(SiteModel::close);
    return known;
  }

  @Test
  void pairsAreDecidedAsTheLibraryDecidesByTheSameModels() {
    Map<String, byte[]> known = known();
    checkPairs((representative, page) -> Features.decide(known.get(representative), known.get(page), Map.of()));
  }

  @Test
  void pairsAreDecidedAsAnEngineDecidesThatKnowsAllPages() {
    try (NearDuplicates engine = NearDuplicates.inMemory(LIBRARY)) {
      Map<String, Long> ids = new HashMap<>();
      PAGES.keySet().forEach(url -> ids.put(url, engine.check(page(url)).pageId()));
      checkPairs((representative, page) -> engine.compare(ids.get(representative), ids.get(page)));
    }
  }

  private static void checkPairs(BiFunction<String, String, Result> decide) {
    List<Boolean> accepted = new ArrayList<>();
    for (Row pair : SPARK.session().read().parquet(run.output() + "/pairs").collectAsList()) {
      Result result = decide.apply(pair.getAs("representative"), pair.getAs("url"));
      assertEquals(result.isDuplicate(), pair.<Boolean>getAs("accepted"), pair::toString);
      assertEquals(result.probability(), pair.<Double>getAs("probability"), pair::toString);
      assertEquals(result.resemblance(), pair.<Double>getAs("resemblance"), pair::toString);
      accepted.add(result.isDuplicate());
    }
    assertTrue(accepted.contains(true) && accepted.contains(false), accepted::toString);
  }

  @Test
  void anEditedPageJoinsUnderAnotherFrameThoughAThirdOfItsSentencesIsReplaced() {
    byte[] article = features("http://news.example/3");
    assertFalse(Features.decide(article, features(EDITED), Map.of()).isDuplicate(), "by their text alone");
    assertEquals(run.group("http://news.example/3"), run.group(EDITED));
    assertEquals("NEAR", run.groups().get(EDITED).getAs("verdict"));
  }

  @Test
  void aCorrectedPageJoinsOnItsOwnHost() {
    assertEquals(run.group("http://news.example/4"), run.group("http://news.example/corrected"));
  }

  @Test
  void listsWithOtherEntriesUnderOneFrameAreDifferent() {
    assertTrue(Features.decide(features(LIST_1), features(LIST_2), Map.of()).isDuplicate(), "by their text alone");
    assertNotEquals(run.group(LIST_1), run.group(LIST_2));
    Map<String, byte[]> known = known();
    assertFalse(Features.decide(known.get(LIST_1), known.get(LIST_2), Map.of()).isDuplicate());
  }

  @Test
  void copiesOnTwoHostsJoin() {
    for (int number = 5; number < 10; number++)
      assertEquals(run.group("http://news.example/" + number), run.group("http://mirror.example/" + number));
  }
}
