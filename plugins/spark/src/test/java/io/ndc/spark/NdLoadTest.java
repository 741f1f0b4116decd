package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.spark.archive.ArchivePage;
import io.ndc.spark.archive.ArchiveReader;
import io.ndc.spark.archive.ArchiveSplit;
import io.ndc.spark.archive.ReadRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NdLoadTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("ndc.source.directory"), "data", "sample", "documentation.warc.gz");
  private static SparkSession spark;
  @TempDir static Path shared;
  private static PartitionRun batch;
  private static Map<String, Row> groups;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

  @BeforeAll
  static void partition() {
    spark = LocalSpark.start();
    batch = new PartitionRun(spark, shared.resolve("result"), "--input", SAMPLE.toString()).expect(NdPartition.DONE);
    groups = batch.groups();
  }

  @AfterAll
  static void end() {
    spark.stop();
  }

  private Path store() {
    return folder.resolve("store");
  }

  private int load(String result, String... options) {
    out.reset();
    messages.reset();
    List<String> arguments = new ArrayList<>(List.of("--result", result, "--store", store().toString()));
    for (String option : options)
      arguments.addAll(List.of("--option", option));
    return NdLoad.run(spark, LoadOptions.parse(arguments.toArray(new String[0])),
        new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(messages, true, StandardCharsets.UTF_8));
  }

  private JsonNode counters() throws IOException {
    return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
  }

  private void loadWhole() {
    assertEquals(NdPartition.DONE, load(batch.output()), messages::toString);
    assertEquals("", messages.toString(StandardCharsets.UTF_8));
  }

  private void checkRefused(int code, String word) {
    String told = messages.toString(StandardCharsets.UTF_8);
    assertTrue(told.contains(word), told);
    assertEquals(1, told.lines().count(), told);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  private NearDuplicates open() {
    return NearDuplicates.open(store(), Map.of());
  }

  /** All that a store says of its pages, groups and events. */
  private String dump() {
    StringBuilder dump = new StringBuilder();
    try (NearDuplicates store = open()) {
      groups.keySet().forEach(url -> dump.append(store.find(url)).append('\n'));
      dump.append(store.groups()).append(store.events(0));
    }
    return dump.toString();
  }

  /** A copy of the result that may be damaged. */
  private Path resultWithout(String... parts) throws IOException {
    Path copy = folder.resolve("copy");
    Path from = Path.of(batch.output());
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = from.relativize(file).toString();
        boolean isLeftOut = Arrays.stream(parts).anyMatch(name::startsWith);
        if (Files.isRegularFile(file) && !isLeftOut) {
          Files.createDirectories(copy.resolve(name).getParent());
          Files.copy(file, copy.resolve(name));
        }
      }
    }
    return copy;
  }

  @Test
  void whatIsCountedIsWhatTheStoreHas() throws IOException {
    loadWhole();
    int founders = 0;
    int same = 0;
    try (NearDuplicates store = open()) {
      for (Row row : groups.values()) {
        PageInfo page = store.find(row.getAs("url")).orElseThrow();
        boolean isSame = store.page(page.groupId()).orElseThrow().url().equals(row.getAs("representative"));
        if (isSame && row.getAs("page").equals(row.getAs("group"))) founders++;
        else if (isSame) same++;
        assertEquals(row.<Long>getAs("fetched_at_ms"), page.lastFetchedAtMs());
      }
      assertEquals(150, store.stats().pages());
    }
    JsonNode counters = counters();
    assertEquals(150, counters.get("pages").asInt());
    assertEquals(founders, counters.get("founders").asInt());
    assertEquals(same, counters.get("joined_same").asInt());
    int sum = 0;
    for (String outcome : List.of("founders", "joined_same", "joined_other", "joined_unnamed", "founded_own", "newer", "failed"))
      sum += counters.get(outcome).asInt();
    assertEquals(150, sum, counters::toString);
    assertTrue(founders + same >= 140, counters::toString);
  }

  @Test
  void aCrawlGoesOnWhereTheBatchEnded() throws IOException {
    loadWhole();
    int joined = 0;
    try (NearDuplicates store = open(); ArchiveReader pages = new ArchiveReader(
        new ArchiveSplit(SAMPLE.toString(), 0, Long.MAX_VALUE), new ReadRules(8 << 20, false),
        new CapturesStage.TaskLog(new Counts(), new Faults()), new Configuration(), true)) {
      while (pages.hasNext() && joined < 20) {
        ArchivePage page = pages.next();
        Row row = groups.get(page.url());
        if (!row.getAs("page").equals(row.getAs("group")) || row.getAs("verdict").equals("NO_TEXT")) continue;
        String body = new String(page.body(), 0, page.size(), StandardCharsets.UTF_8);
        String changed = body.replace("</body>", "<p>This mirror has added a line of its own.</p></body>");
        Result result = store.check(Page.of("http://mirror.example/" + joined, changed.getBytes(StandardCharsets.UTF_8))
            .withContentType(page.contentType()));
        assertTrue(result.isDuplicate(), page.url());
        assertEquals(page.url(), store.page(result.groupId()).orElseThrow().url());
        joined++;
      }
    }
    assertEquals(20, joined);
  }

  @Test
  void aSecondLoadChangesNothing() throws IOException {
    loadWhole();
    JsonNode first = counters();
    String before = dump();
    loadWhole();
    assertEquals(before, dump());
    assertEquals(150, counters().get("unchanged").asInt());
    assertEquals(0, first.get("unchanged").asInt());
    for (String outcome : List.of("founders", "joined_same", "joined_other", "founded_own"))
      assertEquals(first.get(outcome), counters().get(outcome), outcome);
  }

  @Test
  void whatACrawlerHasFetchedSinceStays() throws IOException {
    loadWhole();
    Row row = groups.values().iterator().next();
    String url = row.getAs("url");
    byte[] body = "<p>This page has quite another text now, since somebody has written it anew.".getBytes(StandardCharsets.UTF_8);
    try (NearDuplicates store = open()) {
      store.check(Page.of(url, body).withFetchedAtMs(row.<Long>getAs("fetched_at_ms") + 1));
    }
    String before = dump();
    loadWhole();
    assertEquals(before, dump());
    assertEquals(1, counters().get("newer").asInt());
    assertEquals(149, counters().get("unchanged").asInt());
  }

  @Test
  void aFinishedLoadIsBookmarked() throws IOException {
    loadWhole();
    String name = NdLoad.bookmark(new org.apache.hadoop.fs.Path("file:" + batch.output()).toString());
    try (NearDuplicates store = open()) {
      assertEquals(counters(), new ObjectMapper().readTree(store.bookmark(name).orElseThrow()));
    }
    String longest = NdLoad.bookmark("hdfs://host/" + "x".repeat(1000));
    assertTrue(longest.length() < 60, longest);
    assertFalse(longest.equals(NdLoad.bookmark("hdfs://host/" + "x".repeat(1001))));
  }

  @Test
  void anUnfinishedResultIsRefused() throws IOException {
    for (String part : List.of("summary.json", "groups/_SUCCESS", "stages/captures.json")) {
      Path copy = resultWithout(part);
      assertEquals(NdPartition.FAILED, load(copy.toString()), part);
      checkRefused(NdPartition.FAILED, part.startsWith("stages") ? "captures" : copy.toString());
      assertFalse(Files.exists(store()), part);
      delete(copy);
    }
    assertEquals(NdPartition.FAILED, load(folder.resolve("nowhere").toString()));
    checkRefused(NdPartition.FAILED, "does not exist");
  }

  private static void delete(Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(copy)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList())
        Files.delete(file);
    }
  }

  @Test
  void aPageWithoutFeaturesIsCountedAsFailed() throws IOException {
    Path copy = resultWithout("stages/captures/part");
    assertEquals(NdPartition.SKIPPED, load(copy.toString()));
    assertEquals(150, counters().get("failed").asInt());
    assertEquals(20, messages.toString(StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void aLockedStoreIsRefused() {
    try (NearDuplicates writer = open()) {
      assertFalse(writer.isClosed());
      assertEquals(NdPartition.FAILED, load(batch.output()));
    }
    checkRefused(NdPartition.FAILED, store().toString());
  }

  @Test
  void wrongOptionsAreRefusedBeforeAStoreIsMade() {
    assertEquals(NdPartition.USAGE, load(batch.output(), "resemblanse=0.5"));
    checkRefused(NdPartition.USAGE, "resemblanse");
    assertFalse(Files.exists(store()));
  }

  @Test
  void optionsThatTheStoreDoesNotHaveAreRefused() {
    NearDuplicates.open(store(), Map.of("resemblance", "0.4")).close();
    assertEquals(NdPartition.FAILED, load(batch.output(), "resemblance=0.5"));
    checkRefused(NdPartition.FAILED, "resemblance");
  }

  @Test
  void wrongArgumentsAreNamed() {
    for (String[] wrong : new String[][] {{"--result", "r"}, {"--store", "s"}, {"--result"}, {"--result", "", "--store", "s"},
        {"--into", "s"}, {"--result", "r", "--store", "s", "--option", "resemblance"},
        {"--result", "r", "--store", "s", "--option", "read_only=true"}}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> LoadOptions.parse(wrong), Arrays.toString(wrong)).getMessage();
      assertTrue(message.contains("--"), message);
    }
  }
}
