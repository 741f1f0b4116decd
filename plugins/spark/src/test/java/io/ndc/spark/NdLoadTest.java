package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ndc.ArchiveItem;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Groups of a batch go into a store, where a crawl continues with them. */
class NdLoadTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("ndc.source.directory"), "data", "sample", "documentation.warc.gz");
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir static Path shared;
  private static PartitionRun batch;
  private static Map<String, Row> groups;
  private static JsonNode loaded;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

  /** Each test has a copy of this store, if it wants a filled one. */
  @BeforeAll
  static void partitionAndLoad() throws IOException {
    batch = new PartitionRun(SPARK.session(), shared.resolve("result"), "--input", SAMPLE.toString())
        .expect(NdPartition.DONE);
    groups = batch.groups();
    NdLoadTest first = new NdLoadTest();
    first.folder = shared;
    first.loadWhole();
    loaded = first.counters();
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
    return NdLoad.run(SPARK.session(), LoadOptions.parse(arguments.toArray(new String[0])),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(messages, true, StandardCharsets.UTF_8));
  }

  private JsonNode counters() throws IOException {
    return new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
  }

  private void loadWhole() {
    assertEquals(NdPartition.DONE, load(batch.output()), messages::toString);
    assertEquals("", messages.toString(StandardCharsets.UTF_8));
  }

  private void checkRefused(String word) {
    String told = messages.toString(StandardCharsets.UTF_8);
    assertTrue(told.contains(word), told);
    assertEquals(1, told.lines().count(), told);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  private NearDuplicates open() {
    return NearDuplicates.open(store(), Map.of());
  }

  private void copyLoaded() throws IOException {
    copy(shared.resolve("store"), store());
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

  /** Files whose names do not begin with one of those that are left out. */
  private static void copy(Path from, Path to, String... leftOut) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = from.relativize(file).toString();
        if (Arrays.stream(leftOut).anyMatch(name::startsWith)) continue;
        Files.createDirectories(to.resolve(name).getParent());
        Files.copy(file, to.resolve(name));
      }
    }
  }

  private Path resultWithout(String part) throws IOException {
    Path copy = folder.resolve(part.replace('/', '-'));
    copy(Path.of(batch.output()), copy, part);
    return copy;
  }

  @Test
  void whatIsCountedIsWhatTheStoreHas() throws IOException {
    copyLoaded();
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
    assertEquals(150, loaded.get("pages").asInt());
    assertEquals(founders, loaded.get("founders").asInt());
    assertEquals(same, loaded.get("joined_same").asInt());
    assertTrue(founders + same >= 140, loaded::toString);
  }

  @Test
  void aCrawlGoesOnWhereTheBatchEnded() throws IOException {
    copyLoaded();
    int joined = 0;
    try (NearDuplicates store = open(); ArchiveReader pages = new ArchiveReader(
        new ArchiveSplit(SAMPLE.toString(), 0, Long.MAX_VALUE), new ReadRules(8 << 20, false),
        new Counts(), new Configuration(), true)) {
      while (pages.hasNext() && joined < 20) {
        ArchiveItem page = pages.next();
        Row row = groups.get(page.url());
        if (!row.getAs("page").equals(row.getAs("group")) || row.getAs("verdict").equals("NO_TEXT")) continue;
        String body = new String(page.body(), StandardCharsets.UTF_8);
        String changed = body.replace("</body>", "<p>This mirror has added a line of its own.</p></body>");
        Result result = store.check("http://mirror.example/" + joined,
            changed.getBytes(StandardCharsets.UTF_8), page.contentType());
        assertTrue(result.isDuplicate(), page.url());
        assertEquals(page.url(), store.page(result.groupId()).orElseThrow().url());
        joined++;
      }
    }
    assertEquals(20, joined);
  }

  @Test
  void aSecondLoadChangesNothing() throws IOException {
    copyLoaded();
    String before = dump();
    loadWhole();
    assertEquals(before, dump());
    assertEquals(0, loaded.get("unchanged").asInt());
    assertEquals(150, counters().get("unchanged").asInt());
    for (String outcome : List.of("founders", "joined_same", "joined_other", "founded_own"))
      assertEquals(loaded.get(outcome), counters().get(outcome), outcome);
  }

  @Test
  void whatACrawlerHasFetchedSinceStays() throws IOException {
    copyLoaded();
    Row row = groups.values().iterator().next();
    String url = row.getAs("url");
    byte[] body = "<p>This page was written anew, and has another text by now.".getBytes(StandardCharsets.UTF_8);
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
    copyLoaded();
    String name = NdLoad.bookmark(new org.apache.hadoop.fs.Path("file:" + batch.output()).toString());
    try (NearDuplicates store = open()) {
      assertEquals(loaded, new ObjectMapper().readTree(store.bookmark(name).orElseThrow()));
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
      checkRefused(copy.toString());
      assertFalse(Files.exists(store()), part);
    }
    assertEquals(NdPartition.FAILED, load(folder.resolve("nowhere").toString()));
    checkRefused("does not exist");
    SPARK.session().sparkContext().hadoopConfiguration().set("fs.absent.impl", "no.such.FileSystem");
    assertEquals(NdPartition.FAILED, load("absent:/result"));
    checkRefused("absent:/result");
  }

  @Test
  void aPageWithoutFeaturesIsCountedAsFailed() throws IOException {
    Path copy = resultWithout("stages/captures/part");
    assertEquals(NdPartition.SKIPPED, load(copy.toString()));
    assertEquals(150, counters().get("failed").asInt());
    assertEquals(20, messages.toString(StandardCharsets.UTF_8).lines().count());
  }

  @Test
  void aResultThatCannotBeReadIsToldInALine() throws IOException {
    Path copy = folder.resolve("damaged");
    copy(Path.of(batch.output()), copy);
    try (Stream<Path> files = Files.list(copy.resolve("stages/captures"))) {
      for (Path part : files.filter(file -> file.getFileName().toString().startsWith("part-")).toList()) {
        // The local file system finds by its checksums that it is not what was written.
        byte[] bytes = Files.readAllBytes(part);
        bytes[bytes.length / 2] ^= 1;
        Files.write(part, bytes);
      }
    }
    assertEquals(NdPartition.FAILED, load(copy.toString()));
    checkRefused("storage failed: ");
  }

  @Test
  void aLockedStoreIsRefused() {
    try (NearDuplicates writer = open()) {
      assertFalse(writer.isClosed());
      assertEquals(NdPartition.FAILED, load(batch.output()));
    }
    checkRefused(store().toString());
  }

  @Test
  void wrongOptionsAreRefusedBeforeAStoreIsMade() {
    assertEquals(NdPartition.USAGE, load(batch.output(), "resemblanse=0.5"));
    checkRefused("resemblanse");
    assertFalse(Files.exists(store()));
  }

  @Test
  void optionsThatTheStoreDoesNotHaveAreRefused() {
    NearDuplicates.open(store(), Map.of("same_document", "0.4")).close();
    assertEquals(NdPartition.FAILED, load(batch.output(), "same_document=0.6"));
    checkRefused("same_document");
  }

  @Test
  void wrongArgumentsAreNamed() {
    checkWrong("--store is missing", "--result", "r");
    checkWrong("--result is missing", "--store", "s");
    checkWrong("--result", "--store", "s", "--result");
    checkWrong("--result: empty", "--result", "", "--store", "s");
    checkWrong("--into", "--into", "s");
    checkWrong("KEY=VALUE", "--result", "r", "--store", "s", "--option", "resemblance");
    checkWrong("read_only", "--result", "r", "--store", "s", "--option", "read_only=true");
  }

  private static void checkWrong(String word, String... arguments) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> LoadOptions.parse(arguments)).getMessage();
    assertTrue(message.contains(word), message);
  }
}
