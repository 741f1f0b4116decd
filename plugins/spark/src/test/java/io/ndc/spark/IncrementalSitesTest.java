package io.ndc.spark;

import static io.ndc.spark.GeneratedArchive.DAY_1;
import static io.ndc.spark.GeneratedArchive.DAY_2;
import static io.ndc.spark.GeneratedArchive.article;
import static io.ndc.spark.GeneratedArchive.edited;
import static io.ndc.spark.GeneratedArchive.withBoilerplate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a run knows of sites, and does with groups, by an earlier one: as one run over both, at the cost of what is new.
 */
class IncrementalSitesTest {
  private static final String NOTICE =
      "All pages of this site begin with these very words, and there are quite a lot of them. They go on with a second"
          + " sentence of about the same length as the first."
          + " A third one tells whom to write to, and on which days they"
          + " answer. The fourth says that nothing of all this may be printed without asking, and that is it.";
  /** Two of a site that has no other text on all of its pages. Each is as long as an article. */
  private static final String SALE = notice(1);
  private static final String FAIR = notice(2);
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir static Path folder;
  private static PartitionRun first;
  private static PartitionRun second;
  private static PartitionRun both;

  @BeforeAll
  static void run() throws IOException {
    GeneratedArchive before = new GeneratedArchive();
    before(before);
    GeneratedArchive after = new GeneratedArchive();
    after(after);
    GeneratedArchive all = new GeneratedArchive();
    before(all);
    after(all);
    first = run("first", before, "--partitions", "3").expect(NdPartition.DONE);
    second = run("second", after, "--previous", first.output()).expect(NdPartition.DONE);
    both = run("both", all).expect(NdPartition.DONE);
  }

  private static String notice(int seed) {
    return String.join(" ", SyntheticCaptures.sentences(new Random(seed), 24));
  }

  private static PartitionRun run(String name, GeneratedArchive archive, String... arguments) throws IOException {
    String warc = archive.write(folder.resolve(name + ".warc")).toString();
    return new PartitionRun(SPARK.session(), folder.resolve(name),
        Stream.concat(Stream.of("--input", warc), Stream.of(arguments)).toArray(String[]::new));
  }

  private static void before(GeneratedArchive archive) {
    // Its notice is known after the first run already.
    for (int i = 0; i < 12; i++)
      archive.page("http://known.example/" + i, DAY_1, withBoilerplate(NOTICE, article(100 + i)));
    // One article. Nothing says yet that the notices, of which one is on each, are not the pages' own text.
    archive.page("http://growing.example/4", DAY_1, withBoilerplate(SALE, article(204)));
    archive.page("http://growing.example/edited", DAY_1, withBoilerplate(FAIR, edited(article(204), 8)));
    // Nothing new of it in the second run.
    for (int i = 0; i < 2; i++)
      archive.page("http://quiet.example/" + i, DAY_1, withBoilerplate(NOTICE, article(300 + i)));
    for (int i = 0; i < 10; i++)
      archive.page("http://host-" + i + ".example/", DAY_1, article(400 + i));
    for (int i = 0; i < 10; i++)
      archive.page("http://mirror-" + i + ".example/", DAY_1, edited(article(400 + i), 8));
  }

  private static void after(GeneratedArchive archive) {
    archive.page("http://known.example/edited", DAY_2, withBoilerplate(NOTICE, edited(article(105), 8)));
    archive.page("http://known.example/new", DAY_2, withBoilerplate(NOTICE, article(150)));
    for (int i = 5; i < 9; i++)
      archive.page("http://growing.example/" + i, DAY_2, withBoilerplate(i < 7 ? SALE : FAIR, article(200 + i)));
    archive.page("http://copy.example/7", DAY_2, edited(article(407), 8));
    archive.page("http://copy.example/new", DAY_2, article(450));
  }

  /** The pages of both runs by groups, as they are after the second one. */
  private static Set<Set<String>> partition() {
    Map<String, String> groups = new TreeMap<>();
    Map<String, String> merged = merged(second);
    first.groups().forEach((url, row) -> groups.put(url, merged.getOrDefault(group(row), group(row))));
    second.groups().forEach((url, row) -> groups.put(url, group(row)));
    return sets(groups);
  }

  private static String group(Row row) {
    return row.getAs("group");
  }

  private static Set<Set<String>> sets(Map<String, String> groups) {
    Map<String, Set<String>> sets = new HashMap<>();
    groups.forEach((url, group) -> sets.computeIfAbsent(group, unused -> new HashSet<>()).add(url));
    return new HashSet<>(sets.values());
  }

  private static Map<String, String> merged(PartitionRun run) {
    Map<String, String> merged = new TreeMap<>();
    for (Row row : SPARK.session().read().parquet(run.output() + "/merged").collectAsList())
      merged.put(row.getAs("old_group"), row.getAs("new_group"));
    return merged;
  }

  @Test
  void twoRunsFindTheGroupsOfOneRun() {
    Map<String, String> groups = new TreeMap<>();
    both.groups().forEach((url, row) -> groups.put(url, group(row)));
    assertEquals(sets(groups), partition());
  }

  @Test
  void boilerplateOfTheEarlierRunIsKnown() throws IOException {
    assertFalse(givesKeys(NOTICE, first, "http://known.example/5"));
    assertFalse(givesKeys(NOTICE, second, "http://known.example/new"));
    assertEquals(first.group("http://known.example/5"), second.group("http://known.example/edited"));
    assertEquals("NEW", second.groups().get("http://known.example/new").getAs("verdict"));
  }

  /** Whether a page that founded a group of a run is looked for by a text that it has. */
  private static boolean givesKeys(String text, PartitionRun run, String url) {
    Row capture = SyntheticCaptures.capture("http://text.example/", 1, "<div>" + text + "</div>");
    Set<Long> keys = new HashSet<>();
    for (long key : Features.keys(capture.getAs(6)))
      keys.add(key);
    byte[] features = run.representatives().get(run.group(url)).getAs("features");
    return LongStream.of(Features.keys(features)).anyMatch(keys::contains);
  }

  @Test
  void boilerplateIsFoundByBothRunsTogether() throws IOException {
    assertTrue(givesKeys(SALE, first, "http://growing.example/4"));
    assertTrue(givesKeys(FAIR, first, "http://growing.example/edited"));
    assertFalse(givesKeys(SALE, second, "http://growing.example/5"));
    assertFalse(givesKeys(FAIR, second, "http://growing.example/7"));
  }

  @Test
  void groupsThatWereApartForWhatIsBoilerplateAreMerged() throws IOException {
    String article = first.group("http://growing.example/4");
    String edit = first.group("http://growing.example/edited");
    assertNotEquals(article, edit);
    Map<String, String> merged = merged(second);
    assertEquals(1, merged.size(), merged::toString);
    String gone = merged.containsKey(article) ? article : edit;
    String stays = gone.equals(article) ? edit : article;
    assertEquals(Map.of(gone, stays), merged);
    assertEquals(1, second.counter("merged_groups"));
    assertFalse(second.representatives().containsKey(gone));
    assertTrue(second.representatives().containsKey(stays));
    assertEquals(stays, both.group("http://growing.example/4"), "the id is that of a run over both");
  }

  @Test
  void whatIsNewIsWhatItCosts() throws IOException {
    assertEquals(8, second.groups().size());
    assertEquals(second.groups().size(), second.counter("pages"));
    // The representatives of the site whose notices have been found, and no others.
    assertEquals(2, second.counter("revised"));
    assertTrue(second.counter("linked_pages") <= second.counter("pages") + second.counter("revised"));
    assertTrue(second.counter("pairs") < both.counter("pairs"));
    Set<String> earlier = new HashSet<>(first.groups().keySet());
    earlier.removeIf(url -> url.startsWith("http://growing.example/"));
    for (Row pair : SPARK.session().read().parquet(second.output() + "/pairs").collectAsList())
      assertFalse(earlier.contains(pair.<String>getAs("url")), pair::toString);
  }

  @Test
  void theNextRunGoesOnWithBoth() throws IOException {
    GeneratedArchive archive = new GeneratedArchive();
    archive.page("http://known.example/edited-7", DAY_2, withBoilerplate(NOTICE, edited(article(107), 8)));
    archive.page("http://growing.example/edited-4", DAY_2, withBoilerplate(SALE, edited(article(204), 8)));
    archive.page("http://growing.example/edited-7", DAY_2, withBoilerplate(FAIR, edited(article(207), 8)));
    for (int i = 3; i < 8; i++)
      archive.page("http://quiet.example/" + i, DAY_2, withBoilerplate(NOTICE, article(300 + i)));
    archive.page("http://quiet.example/edited", DAY_2, withBoilerplate(NOTICE, edited(article(301), 8)));
    PartitionRun third = run("third", archive, "--previous", second.output()).expect(NdPartition.DONE);
    assertEquals(first.group("http://known.example/7"), third.group("http://known.example/edited-7"));
    String merged = merged(second).getOrDefault(
        first.group("http://growing.example/4"), first.group("http://growing.example/4"));
    assertEquals(merged, third.group("http://growing.example/edited-4"));
    assertEquals(second.group("http://growing.example/7"), third.group("http://growing.example/edited-7"));
    assertEquals(first.group("http://quiet.example/1"), third.group("http://quiet.example/edited"));
    assertEquals(merged(second), merged(third), "nothing more was merged, and what was is still said");
    Set<String> revised = new HashSet<>();
    for (Row page : SPARK.session().read().parquet(third.output() + "/stages/revised").collectAsList())
      revised.add(page.getAs("url"));
    assertTrue(revised.containsAll(Set.of("http://quiet.example/0", "http://quiet.example/1")), revised::toString);
    // Text of the others may be the site's by now, where copies have come; but not that of sites without new pages.
    assertTrue(revised.stream().allMatch(url -> url.matches("http://(quiet|growing|known)[.]example/.*")),
        revised::toString);
  }

  @Test
  void aMergeLeadsToTheGroupThatThereIs() {
    List<Row> earlier = SPARK.session().read().parquet(second.output() + "/merged").collectAsList();
    Row merge = earlier.get(0);
    Row further = RowFactory.create(
        merge.getAs("new_group"), "another", merge.getAs("representative"), "http://another.example/", 0.5, 0.5,
        0.9);
    List<Row> all = MergedGroups.all(SPARK.session().createDataFrame(List.of(further), MergedGroups.SCHEMA),
        SPARK.session().createDataFrame(earlier, MergedGroups.SCHEMA)).collectAsList();
    assertEquals(2, all.size());
    for (Row row : all) {
      assertEquals("another", row.getAs("new_group"));
      assertEquals("http://another.example/", row.getAs("representative"));
    }
  }

  @Test
  void anOutputWithoutModelsIsRefused() throws IOException {
    Path unfinished = folder.resolve("unfinished");
    Path representatives = Path.of(first.output(), "representatives");
    Files.createDirectories(unfinished.resolve("representatives"));
    try (Stream<Path> files = Files.list(representatives)) {
      for (Path file : files.toList())
        Files.copy(file, unfinished.resolve("representatives").resolve(file.getFileName()));
    }
    GeneratedArchive archive = new GeneratedArchive();
    after(archive);
    PartitionRun run =
        run("after-unfinished", archive, "--previous", unfinished.toString()).expect(NdPartition.FAILED);
    assertTrue(run.messages.contains("not the output of a finished run: it has no whole models"), run.messages);
  }

  @Test
  void anEarlierRunWithOtherModelsIsAnotherOne() throws IOException {
    Path model;
    try (Stream<Path> files = Files.list(Path.of(first.output(), "models"))) {
      model = files.filter(file -> file.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    Files.setLastModifiedTime(model, FileTime.fromMillis(1_700_000_000_000L));
    PartitionRun again = new PartitionRun(SPARK.session(), folder.resolve("second"), "--input",
        folder.resolve("second.warc").toString(), "--previous", first.output()).expect(NdPartition.FAILED);
    assertTrue(again.messages.contains("previous models"), again.messages);
  }
}
