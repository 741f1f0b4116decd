package io.ndc.spark;

import static io.ndc.spark.GeneratedArchive.DAY_1;
import static io.ndc.spark.GeneratedArchive.article;
import static io.ndc.spark.GeneratedArchive.edited;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Damage in some files costs only the damaged pages, and is reported. */
class BadInputTest {
  private static final int PAGE_BYTES = 20_000;
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir static Path folder;
  private static PartitionRun good;
  private static PartitionRun mixed;
  /** Where the broken record begins. */
  private static long brokenOffset;

  @BeforeAll
  static void runWithAndWithoutBadFiles() throws IOException {
    Path goods = Files.createDirectories(folder.resolve("good"));
    new GeneratedArchive().page("http://a.example/", DAY_1, article(1))
        .page("http://b.example/", DAY_1, article(2)).write(goods.resolve("one.warc"));
    new GeneratedArchive().page("http://c.example/", DAY_1, edited(article(1), 8))
        .page("http://d.example/", DAY_1, article(3)).write(goods.resolve("two.warc"));
    good = run("without", goods).expect(NdPartition.DONE);

    Path bads = Files.createDirectories(folder.resolve("bad"));
    writeBroken(bads.resolve("broken.warc"));
    writeCut(bads.resolve("cut.warc.gz"));
    Files.createFile(bads.resolve("empty.warc"));
    byte[] noise = new byte[5000];
    new Random(1).nextBytes(noise);
    Files.write(bads.resolve("noise.warc"), noise);
    new GeneratedArchive().page("http://huge.example/", DAY_1, SyntheticCaptures.html(
        SyntheticCaptures.sentences(new Random(9), 500))).write(bads.resolve("huge.warc"));
    SPARK.session().sparkContext().hadoopConfiguration().set("fs.absent.impl", "no.such.FileSystem");
    mixed = run("with", goods, bads, folder.resolve("missing.warc"), Path.of("absent:/elsewhere.warc"));
  }

  private static PartitionRun run(String output, Path... inputs) {
    List<String> arguments = new ArrayList<>(List.of("--page-bytes", Integer.toString(PAGE_BYTES)));
    for (Path input : inputs)
      arguments.addAll(List.of("--input", input.toString()));
    return new PartitionRun(SPARK.session(), folder.resolve(output), arguments.toArray(new String[0]));
  }

  /** Two pages with a record between them whose header makes no sense. */
  private static void writeBroken(Path file) throws IOException {
    GeneratedArchive archive = new GeneratedArchive().page("http://before.example/", DAY_1, article(11));
    brokenOffset = archive.size();
    archive.append("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nlost\r\n\r\n");
    archive.page("http://behind.example/", DAY_1, article(12)).write(file);
  }

  /** A page, and another one whose gzip member ends too early. */
  private static void writeCut(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(gzip(new GeneratedArchive().page("http://whole.example/", DAY_1, article(13)).bytes()));
    byte[] cut = gzip(new GeneratedArchive().page("http://cut.example/", DAY_1, article(14)).bytes());
    bytes.write(cut, 0, cut.length / 2);
    Files.write(file, bytes.toByteArray());
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static JsonNode fault(String name) throws IOException {
    for (JsonNode fault : mixed.summary().get("faults")) {
      if (fault.get("file").asText().endsWith("/" + name)) return fault;
    }
    throw new AssertionError("no fault names " + name + ": " + mixed.summary().get("faults"));
  }

  @Test
  void theJobIsDoneButSaysThatSomethingWasWrong() {
    mixed.expect(NdPartition.SKIPPED);
    assertEquals(1, mixed.messages.lines().count(), mixed.messages);
    assertTrue(mixed.messages.contains("summary.json"), mixed.messages);
  }

  @Test
  void theGroupsOfTheGoodFilesAreTheSame() {
    Map<String, Row> all = mixed.groups();
    assertEquals(good.group("http://a.example/"), good.group("http://c.example/"));
    assertEquals(4, good.groups().size());
    good.groups().forEach((url, row) -> assertEquals(row, all.get(url), url));
  }

  @Test
  void pagesBesideABrokenRecordAreThere() {
    Set<String> urls = new TreeSet<>(mixed.groups().keySet());
    urls.removeAll(good.groups().keySet());
    assertEquals(Set.of("http://before.example/", "http://behind.example/", "http://huge.example/",
        "http://whole.example/"), urls);
  }

  @Test
  void aBrokenRecordIsNamedWithItsOffset() throws IOException {
    assertEquals(brokenOffset, fault("broken.warc").get("offset").asLong());
    assertTrue(fault("cut.warc.gz").get("offset").asLong() > 0);
    assertTrue(mixed.counter("damaged") >= 2, mixed.summary().get("counters").toString());
  }

  @Test
  void filesThatAreNoArchivesAreNamed() throws IOException {
    assertEquals(-1, fault("empty.warc").get("offset").asLong());
    assertEquals(-1, fault("missing.warc").get("offset").asLong());
    assertTrue(fault("elsewhere.warc").get("reason").asText().contains("no.such.FileSystem"));
    assertFalse(fault("noise.warc").get("reason").asText().isEmpty());
    assertTrue(mixed.counter("failed_files") >= 2, mixed.summary().get("counters").toString());
    assertEquals(0, good.counter("failed_files") + good.counter("damaged"));
  }

  @Test
  void anOutputOrEarlierOneWhoseFileSystemIsMissingIsRefusedInALine() {
    PartitionRun output = new PartitionRun(SPARK.session(), Path.of("absent:/output"), "--input",
        folder.resolve("good").toString()).expect(NdPartition.FAILED);
    PartitionRun previous = new PartitionRun(SPARK.session(), folder.resolve("refused"), "--input",
        folder.resolve("good").toString(), "--previous", "absent:/previous").expect(NdPartition.FAILED);
    PartitionRun input = run("no-input", Path.of("absent:/elsewhere.warc")).expect(NdPartition.FAILED);
    checkNames(output, "absent:/output");
    checkNames(previous, "absent:/previous");
    checkNames(input, "absent:/elsewhere.warc");
  }

  @Test
  void anInputInTheOutputIsRefusedByWhateverName() throws IOException {
    Path output = Files.createDirectories(folder.resolve("around"));
    Path archive = Files.createDirectories(output.resolve("groups")).resolve("one.warc");
    Files.copy(folder.resolve("good/one.warc"), archive);
    Path link = Files.createSymbolicLink(folder.resolve("link"), output);
    for (Path named : List.of(output, link)) {
      for (Path input : List.of(archive, output, link.resolve("groups"))) {
        PartitionRun refused = new PartitionRun(SPARK.session(), named, "--input", input.toString(), "--overwrite")
            .expect(NdPartition.FAILED);
        assertEquals(1, refused.messages.lines().count(), refused.messages);
        assertTrue(refused.messages.contains("one.warc lies in the output folder " + named), refused.messages);
      }
    }
    assertEquals(-1, Files.mismatch(folder.resolve("good/one.warc"), archive));
  }

  @Test
  void aStageThatIsDamagedIsNamedInALine() throws IOException {
    String[] input = {"--input", folder.resolve("good").toString()};
    Path output = folder.resolve("damaged-stage");
    new PartitionRun(SPARK.session(), output, input).expect(NdPartition.DONE);
    Path part = parts(output.resolve("stages/pages"), "part-").get(0);
    for (Path checksum : parts(output.resolve("stages/pages"), ".part-"))
      Files.delete(checksum);
    Files.write(part, Arrays.copyOf(Files.readAllBytes(part), 100));
    PartitionRun again = new PartitionRun(SPARK.session(), output, input).expect(NdPartition.FAILED);
    assertEquals(1, again.messages.lines().count(), again.messages);
    assertTrue(again.messages.contains("cannot be read: "), again.messages);
    assertTrue(again.messages.contains(part.getFileName().toString()), again.messages);
    assertFalse(Files.exists(output.resolve("summary.json")));
  }

  private static List<Path> parts(Path stage, String start) throws IOException {
    try (Stream<Path> files = Files.list(stage)) {
      return files.filter(file -> file.getFileName().toString().startsWith(start)).sorted().toList();
    }
  }

  private static void checkNames(PartitionRun refused, String path) {
    assertEquals(1, refused.messages.lines().count(), refused.messages);
    assertTrue(refused.messages.contains(path + ": "), refused.messages);
    assertTrue(refused.messages.contains("no.such.FileSystem"), refused.messages);
  }

  @Test
  void aPageThatIsTooLongIsCutAndCounted() throws IOException {
    assertEquals(1, mixed.counter("truncated"));
    assertEquals(0, good.counter("truncated"));
  }
}
