package io.ndc.spark;

import static io.ndc.spark.GeneratedArchive.DAY_1;
import static io.ndc.spark.GeneratedArchive.DAY_2;
import static io.ndc.spark.GeneratedArchive.article;
import static io.ndc.spark.GeneratedArchive.edited;
import static io.ndc.spark.GeneratedArchive.withBoilerplate;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the job that continue with the groups of an earlier one. */
class IncrementalPartitionTest {
  private static final String BOILERPLATE =
      "All pages of this site begin with these very words, and there are quite a lot of them. They go on with a second"
          + " sentence of about the same length as the first, and that is it.";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir static Path folder;
  private static PartitionRun first;
  private static PartitionRun second;

  @BeforeAll
  static void runTwice() throws IOException {
    GeneratedArchive before = new GeneratedArchive();
    for (int i = 0; i < 8; i++)
      before.page("http://old-" + i + ".example/", DAY_1, article(i));
    before.page("http://member.example/", DAY_1, edited(article(0), 6));
    for (int i = 0; i < 10; i++)
      before.page("http://known.example/" + i, DAY_1, withBoilerplate(BOILERPLATE, article(100 + i)));
    before.page("http://empty.example/", DAY_1, "");
    // Different by the options of this run, alike by those of the next ones.
    before.page("http://halves.example/", DAY_1, article(70));
    before.page("http://half.example/", DAY_1, edited(article(70), 3));
    first = new PartitionRun(SPARK.session(), folder.resolve("first"), "--input",
        before.write(folder.resolve("first.warc")).toString(), "--option", "decision=report", "--option",
        "resemblance=0.6", "--option", "containment=0.9", "--option", "x_relaxed=true", "--option", "spotsigs=true",
        "--option", "block_weights=learned", "--option", "x_rounds=8", "--option", "x_trustable=false", "--partitions",
        "3").expect(NdPartition.DONE);

    GeneratedArchive after = new GeneratedArchive();
    after.page("http://copy.example/0", DAY_2, article(0));
    after.page("http://copy.example/1", DAY_2, edited(article(1), 8));
    after.page("http://copy.example/known", DAY_2, article(103));
    after.page("http://old-2.example/", DAY_2, article(2));
    after.page("http://old-3.example/", DAY_2, article(53));
    after.page("http://copy.example/3", DAY_2, article(3));
    after.page("http://new.example/50", DAY_2, article(50));
    after.page("http://new.example/51", DAY_2, article(51));
    after.page("http://elsewhere.example/50", DAY_2, edited(article(50), 8));
    after.page("http://empty.example/", DAY_1, "");
    after.page("http://copy.example/halves", DAY_2, article(70));
    after.page("http://copy.example/half", DAY_2, edited(article(70), 3));
    second = new PartitionRun(SPARK.session(), folder.resolve("second"), "--input",
        after.write(folder.resolve("second.warc")).toString(), "--previous", first.output())
        .expect(NdPartition.DONE);
  }

  private static Set<String> groups(PartitionRun run) {
    Set<String> groups = new HashSet<>();
    run.groups().values().forEach(row -> groups.add(row.getAs("group")));
    return groups;
  }

  private static void checkJoined(PartitionRun before, String old, PartitionRun after, String copy) {
    Row page = after.groups().get(copy);
    assertEquals(before.group(old), page.getAs("group"), copy);
    Row founder = before.groups().get(old);
    assertEquals(founder.<String>getAs("representative"), page.getAs("representative"), copy);
    assertTrue(Set.of("EXACT", "NEAR").contains(page.<String>getAs("verdict")), copy);
  }

  @Test
  void copiesJoinTheGroupsOfTheEarlierRun() {
    assertEquals(first.group("http://old-0.example/"), first.group("http://member.example/"));
    checkJoined(first, "http://old-0.example/", second, "http://copy.example/0");
    checkJoined(first, "http://old-1.example/", second, "http://copy.example/1");
    checkJoined(first, "http://known.example/3", second, "http://copy.example/known");
  }

  @Test
  void newTextsFoundGroups() {
    Map<String, Row> rows = second.groups();
    assertFalse(groups(first).contains(second.group("http://new.example/50")));
    assertEquals(second.group("http://new.example/50"), second.group("http://elsewhere.example/50"));
    Row alone = rows.get("http://new.example/51");
    assertEquals(alone.<String>getAs("page"), alone.getAs("group"));
    assertEquals("NEW", alone.getAs("verdict"));
  }

  @Test
  void onlyNewPagesAreInTheSecondOutput() {
    assertEquals(12, second.groups().size());
  }

  @Test
  void aRecaptureWithTheSameTextJoinsItsOwnOldGroup() {
    checkJoined(first, "http://old-2.example/", second, "http://old-2.example/");
    assertNotEquals(first.groups().get("http://old-2.example/").<String>getAs("page"),
        second.groups().get("http://old-2.example/").<String>getAs("page"));
  }

  @Test
  void aRecaptureWithAnotherTextFoundsAnotherGroupAndLeavesTheOldOne() {
    assertFalse(groups(first).contains(second.group("http://old-3.example/")));
    checkJoined(first, "http://old-3.example/", second, "http://copy.example/3");
  }

  @Test
  void groupsThatTheEarlierRunKeptApartByItsOptionsStayApart() {
    assertNotEquals(first.group("http://halves.example/"), first.group("http://half.example/"));
    checkJoined(first, "http://halves.example/", second, "http://copy.example/halves");
    checkJoined(first, "http://half.example/", second, "http://copy.example/half");
    assertEquals(0, SPARK.session().read().parquet(second.output() + "/merged").count());
  }

  @Test
  void allRepresentativesSoFarAreInTheOutput() {
    Set<String> all = groups(first);
    all.addAll(groups(second));
    Map<String, Row> representatives = second.representatives();
    assertEquals(all, representatives.keySet());
    first.representatives().forEach((group, row) -> {
      assertArrayEquals(row.<byte[]>getAs("features"), representatives.get(group).<byte[]>getAs("features"));
      assertEquals(row.<Long>getAs("fetched_at_ms"), representatives.get(group).getAs("fetched_at_ms"));
    });
  }

  @Test
  void loadedIntoAStoreOneAfterTheOtherTheyAreTheSameGroups() throws IOException {
    JsonNode before = load(first);
    assertEquals(first.groups().size(), before.get("founders").asInt() + before.get("joined_same").asInt(),
        before::toString);
    JsonNode after = load(second);
    // Also the copy of a founder that has another text by now.
    assertEquals(second.groups().size(), after.get("founders").asInt() + after.get("joined_same").asInt(),
        after::toString);
    assertEquals(1, after.get("unchanged").asInt(), after::toString);
  }

  private static JsonNode load(PartitionRun run) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LoadOptions options = LoadOptions.parse("--result", run.output(),
        "--store", folder.resolve("store").toString(), "--option", "decision=report", "--option", "resemblance=0.6",
        "--option", "containment=0.9", "--option", "x_relaxed=true", "--option", "spotsigs=true", "--option",
        "block_weights=learned", "--option", "x_rounds=8", "--option", "x_trustable=false");
    assertEquals(NdPartition.DONE,
        NdLoad.run(SPARK.session(), options, new PrintStream(out, true, StandardCharsets.UTF_8), System.err));
    return new ObjectMapper().readTree(out.toByteArray());
  }

  @Test
  void theirSessionIsAsItWasBefore() {
    SparkContext context = SPARK.session().sparkContext();
    assertTrue(context.listenerBus().listeners().stream().noneMatch(StageMetrics.class::isInstance));
    assertTrue(context.getPersistentRDDs().isEmpty());
    assertNull(context.getLocalProperty("spark.job.description"));
    assertEquals("2", SPARK.session().conf().get("spark.sql.shuffle.partitions"));
  }

  @Test
  void aThirdRunGoesOnAlsoWithAnArchiveOfTheFirst() throws IOException {
    GeneratedArchive archive = new GeneratedArchive();
    archive.page("http://third.example/4", DAY_2, edited(article(4), 8));
    archive.page("http://third.example/51", DAY_2, edited(article(51), 8));
    archive.page("http://third.example/53", DAY_2, article(53));
    PartitionRun third = new PartitionRun(SPARK.session(), folder.resolve("third"),
        "--input", archive.write(folder.resolve("third.warc")).toString(),
        "--input", folder.resolve("first.warc").toString(), "--previous", second.output())
        .expect(NdPartition.DONE);
    checkJoined(first, "http://old-4.example/", third, "http://third.example/4");
    checkJoined(second, "http://new.example/51", third, "http://third.example/51");
    checkJoined(second, "http://old-3.example/", third, "http://third.example/53");
    Map<String, Row> again = third.groups();
    first.groups().forEach(
        (url, row) -> assertEquals(row.<String>getAs("group"), again.get(url).getAs("group"), url));
    assertEquals(second.representatives().keySet(), third.representatives().keySet());
    // The page without text alone: captures that the first run had join themselves.
    assertEquals(1, third.counter("groups"));
    assertEquals(again.size() - 1, third.counter("duplicates"));
    Dataset<Row> pairs = SPARK.session().read().parquet(third.output() + "/pairs");
    assertTrue(pairs.count() < third.counter("pairs"), "some were compared with both captures of a representative");
    assertEquals(pairs.distinct().count(), pairs.count());
  }

  @Test
  void whatAHostHasLearnedOfAPageCountsOnce() throws IOException {
    PartitionRun again = new PartitionRun(SPARK.session(), folder.resolve("again"), "--input",
        folder.resolve("first.warc").toString(), "--previous", first.output()).expect(NdPartition.DONE);
    assertArrayEquals(first.model("known.example"), again.model("known.example"));
    assertArrayEquals(first.model("known.example"), second.model("known.example"), "no page of it is new");
    assertFalse(Arrays.equals(first.model("old-0.example"), first.model("old-1.example")));
  }

  @Test
  void anUnfinishedOrMissingEarlierRunIsRefusedInALine() throws IOException {
    Path unfinished = folder.resolve("unfinished");
    Files.createDirectories(unfinished.resolve("representatives"));
    for (Path previous : new Path[] {unfinished, folder.resolve("missing")}) {
      Path output = folder.resolve("refused-" + previous.getFileName());
      PartitionRun refused = new PartitionRun(SPARK.session(), output,
          "--input", folder.resolve("second.warc").toString(), "--previous", previous.toString())
          .expect(NdPartition.FAILED);
      assertEquals(1, refused.messages.lines().count(), refused.messages);
      assertTrue(refused.messages.contains(previous.toString()), refused.messages);
      assertFalse(Files.exists(output.resolve("groups")));
    }
  }
}
