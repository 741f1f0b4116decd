package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Stages 4 to 6 against the plain definition of what they compute. */
class GroupingTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  private static List<Row> pages;
  private static Map<Long, Long> expected;

  @TempDir Path folder;
  private final CandidatesStage.Limits limits = new CandidatesStage.Limits();

  @BeforeAll
  static void begin(@TempDir Path folder) throws IOException {
    StoredRows captures =
        SPARK.stored(SyntheticCaptures.families(45, 25, 7), CapturesStage.SCHEMA, folder.resolve("captures"));
    pages = SPARK.pages(captures, 4096, SitesStage.SITE_BYTES, SPARK.counts()).collectAsList();
    expected = oracle(new CandidatesStage.Limits(), 8);
  }

  private static Map<Long, Long> oracle(CandidatesStage.Limits limits, int comparisons) {
    List<SequentialPartition.Page> all = new ArrayList<>();
    for (Row page : pages)
      all.add(new SequentialPartition.Page(page.getAs("place"), page.getAs("site"), page.getAs("features")));
    return new TreeMap<>(new SequentialPartition(all, limits, comparisons, Map.of()).run());
  }

  private Grouping group(int partitions, int pairsOfAMeeting, String... options) throws IOException {
    return group(pages, partitions, pairsOfAMeeting, options);
  }

  private Grouping group(List<Row> pages, int partitions, int pairsOfAMeeting, String... options) throws IOException {
    SPARK.session().conf().set("spark.sql.shuffle.partitions", Integer.toString(partitions));
    List<String> arguments = new ArrayList<>(List.of("--input", "none", "--output", "none"));
    arguments.addAll(List.of(options));
    StoredRows stored = SPARK.stored(pages, PagesStage.SCHEMA, folder.resolve("pages"));
    Dataset<Row> rows = stored.rows();
    try (StageStore stages = stages()) {
      Dataset<Row> links = stages.stage("candidates", CandidatesStage.SCHEMA,
          counts -> new CandidatesStage(limits, counts).run(rows));
      Grouping grouping = new Grouping(stages, JobOptions.parse(arguments.toArray(new String[0])), pairsOfAMeeting);
      grouping.run(stored, PairsStage.places(rows), links);
      return grouping;
    }
  }

  private StageStore stages() throws IOException {
    return new StageStore(SPARK.session(), new org.apache.hadoop.fs.Path(folder.toString()));
  }

  private static Map<Long, Long> representatives(Grouping grouping) {
    Map<Long, Long> representatives = new TreeMap<>();
    for (Row page : pages)
      representatives.put(page.getAs("place"), page.getAs("place"));
    for (Row decision : grouping.decided().collectAsList())
      representatives.put(decision.getLong(0), decision.getLong(1));
    return representatives;
  }

  @Test
  void theCorpusHasAllThatIsToBeDecided() {
    long founders = expected.entrySet().stream().filter(page -> page.getKey().equals(page.getValue())).count();
    assertTrue(founders > 40 && founders < expected.size() - 60, founders + " of " + expected.size());
  }

  @Test
  void isWhatTheDefinitionSays() throws IOException {
    assertEquals(expected, representatives(group(3, 4096)));
  }

  @Test
  void ofTwoGroupsThatAPageCouldJoinItJoinsTheOneThatAnEngineChooses() throws IOException {
    // One has more of its text, the other less of it but its title.
    List<String> html = null;
    for (int withText = 16; withText <= 26 && html == null; withText++) {
      for (int withTitle = 12; withTitle < withText && html == null; withTitle++) {
        List<String> tried = pageAndTwoFounders(withText, withTitle);
        Result byText = decide(tried.get(1), tried.get(0));
        Result byTitle = decide(tried.get(2), tried.get(0));
        if (byText.isDuplicate() && byTitle.isDuplicate() && byText.resemblance() > byTitle.resemblance()
            && byText.probability() < byTitle.probability())
          html = tried;
      }
    }
    assertNotNull(html, "no pages show a difference");
    List<Row> captures = new ArrayList<>();
    try (NearDuplicates engine = NearDuplicates.inMemory(Map.of())) {
      for (int number : List.of(1, 2, 0)) {
        String url = "http://host-" + number + ".example/";
        Result result = engine.check(
            Page.of(url, html.get(number).getBytes(StandardCharsets.UTF_8)).withContentType("text/html"));
        assertEquals(number == 0 ? 2 : number, result.groupId(), "page " + number);
        captures.add(SyntheticCaptures.capture(url, 1, html.get(number)));
      }
    }
    List<Row> three = SPARK.pages(SPARK.stored(captures, CapturesStage.SCHEMA, folder.resolve("three")), 4096,
        SitesStage.SITE_BYTES, SPARK.counts()).collectAsList();
    Map<String, Long> places = new TreeMap<>();
    for (Row page : three)
      places.put(page.getAs("url"), page.getAs("place"));
    Map<Long, Long> decided = new TreeMap<>();
    for (Row decision : group(three, 2, 4096).decided().collectAsList())
      decided.put(decision.getLong(0), decision.getLong(1));
    assertEquals(places.get("http://host-2.example/"), decided.get(places.get("http://host-0.example/")));
  }

  private static List<String> pageAndTwoFounders(int withText, int withTitle) {
    Random random = new Random(5);
    List<String> own = SyntheticCaptures.sentences(random, 30);
    List<String> text = new ArrayList<>(own.subList(0, withText));
    text.addAll(SyntheticCaptures.sentences(random, 34 - withText));
    List<String> title = new ArrayList<>(own.subList(30 - withTitle, 30));
    title.addAll(SyntheticCaptures.sentences(random, 34 - withTitle));
    String untitled = "<title>t</title>";
    String titled = "<title>Harbour lights of the northern coast</title>";
    return List.of(SyntheticCaptures.html(own).replace(untitled, titled), SyntheticCaptures.html(text),
        SyntheticCaptures.html(title).replace(untitled, titled));
  }

  private static Result decide(String representative, String page) {
    return Features.decide(features("http://host-1.example/", representative), features("http://host-0.example/", page),
        Map.of());
  }

  private static byte[] features(String url, String html) {
    return Features.compute(
        Page.of(url, html.getBytes(StandardCharsets.UTF_8)).withContentType("text/html"), Map.of());
  }

  @Test
  void isTheSameInWavesAndOnOtherPartitions() throws IOException {
    assertEquals(expected, representatives(group(5, 4096, "--local-pages", "0")));
  }

  @Test
  void isTheSameWhereARepresentativeHasSeveralCopies() throws IOException {
    Grouping grouping = group(1, 2);
    assertEquals(expected, representatives(grouping));
    long pairs = grouping.pairs().count();
    assertEquals(pairs, grouping.pairs().select("place", "representative_place").distinct().count());
  }

  @Test
  void hotKeysAreLeftOutAsTheDefinitionSays() throws IOException {
    limits.hotPages = 3;
    limits.heads = 2;
    Map<Long, Long> without = oracle(limits, 2);
    assertEquals(without, representatives(group(3, 4096, "--comparisons", "2")));
    assertNotEquals(expected, without, "the limits change nothing");
  }

  @Test
  void aGiantKeyNeverReachesTheShuffle() throws IOException {
    limits.sampling = 1;
    limits.giantInSample = 5;
    CandidatesStage.Limits equal = new CandidatesStage.Limits();
    equal.hotPages = 5;
    assertEquals(oracle(equal, 8), representatives(group(3, 4096)));
  }

  @Test
  void withoutMoreRoundsPagesAreDecidedByWhatThereIsAndSaySo() throws IOException {
    Grouping grouping = group(3, 4096, "--rounds", "1", "--local-pages", "0");
    assertEquals(2, grouping.rounds(), "the first and one more");
    Map<Long, Long> representatives = representatives(grouping);
    assertEquals(expected.keySet(), representatives.keySet());
    assertTrue(grouping.decided().filter("limited").count() > 0, "the rounds sufficed");
    Map<Long, List<Long>> candidates = candidates();
    for (Row decision : grouping.decided().collectAsList()) {
      long place = decision.getLong(0);
      if (decision.getBoolean(2) || representatives.get(place).equals(expected.get(place))) continue;
      // Then a candidate of the page differs from what was expected, and so the page may as well.
      assertTrue(candidates.get(place).stream()
          .anyMatch(candidate -> !representatives.get(candidate).equals(expected.get(candidate))),
          "a page differs and nothing was limited");
    }
  }

  private Map<Long, List<Long>> candidates() throws IOException {
    Map<Long, List<Long>> candidates = new TreeMap<>();
    try (StageStore stages = stages()) {
      for (Row links : stages.read(List.of("candidates"), CandidatesStage.SCHEMA).collectAsList())
        candidates.put(links.getLong(0), links.getList(1));
    }
    return candidates;
  }

  @Test
  void noTwoPagesOfTheCorpusHaveOnePlace() {
    assertEquals(pages.size(), expected.size());
    assertEquals(0, PagesStage.collisions(
        SPARK.session().createDataFrame(pages, PagesStage.SCHEMA), SPARK.counts()).count());
  }
}
