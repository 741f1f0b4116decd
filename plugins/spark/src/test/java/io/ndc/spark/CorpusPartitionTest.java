package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.ArchiveItem;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.spark.archive.ArchiveReader;
import io.ndc.spark.archive.ArchiveSplit;
import io.ndc.spark.archive.ReadRules;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The labelled English and Chinese corpora, partitioned by the job and by the engine on one machine. They are not in
 * the repository: environment variable {@code NDC_CORPORA} is the directory with reframed-en and reframed-zh, each with
 * pages.warc.gz and labels.tsv.
 */
class CorpusPartitionTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"reframed-en", "reframed-zh"})
  @EnabledIfEnvironmentVariable(named = "NDC_CORPORA", matches = ".+")
  void isAsGoodAsTheEngineWhateverTheNumberOfPartitionsIs(String name) throws Exception {
    Path corpus = Path.of(System.getenv("NDC_CORPORA"), name);
    String archive = corpus.resolve("pages.warc.gz").toString();
    Map<String, String> labels = labels(Files.readAllLines(corpus.resolve("labels.tsv")));
    Map<String, String> three = partition(archive, 3);
    double job = f1(labels, three);
    double engine = f1(labels, byTheEngine(archive));
    System.out.printf("%s: F1 of the job %.4f, of the engine %.4f%n", name, job, engine);
    assertTrue(job >= engine - 0.005, job + " against " + engine);
    assertEquals(three, partition(archive, 1));
    assertEquals(three, partition(archive, 7));
  }

  private Map<String, String> partition(String archive, int partitions) {
    PartitionRun run = new PartitionRun(SPARK.session(), folder.resolve("partitions-" + partitions), "--input", archive,
        "--partitions", Integer.toString(partitions)).expect(NdPartition.DONE);
    Map<String, String> groups = new TreeMap<>();
    run.groups().forEach((url, row) -> groups.put(url, row.getAs("group")));
    return groups;
  }

  private static Map<String, String> byTheEngine(String archive) {
    Map<String, String> groups = new HashMap<>();
    try (NearDuplicates engine = NearDuplicates.inMemory(Map.of());
        ArchiveReader pages = new ArchiveReader(new ArchiveSplit(archive, 0, Long.MAX_VALUE),
            new ReadRules(8 << 20, false), new Counts(), new Configuration(),
            true)) {
      while (pages.hasNext()) {
        ArchiveItem page = pages.next();
        Page given = Page.of(page.url(), ByteBuffer.wrap(page.body()))
            .withContentType(page.contentType());
        groups.put(page.url(), Long.toString(engine.check(given).groupId()));
      }
    }
    return groups;
  }

  /** Without the pages of which nobody can say what they are. */
  private static Map<String, String> labels(List<String> lines) {
    List<String> names = List.of(lines.get(0).split("\t"));
    Map<String, String> labels = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split("\t", -1);
      if (!fields[names.indexOf("kind")].equals("ambiguous"))
        labels.put(fields[names.indexOf("url")], fields[names.indexOf("group")]);
    }
    return labels;
  }

  /** Over all pairs of labelled pages. */
  private static double f1(Map<String, String> labels, Map<String, String> groups) {
    long right = pairs(labels, url -> labels.get(url) + "\n" + groups.get(url));
    return 2.0 * right / (pairs(labels, labels::get) + pairs(labels, groups::get));
  }

  private static long pairs(Map<String, String> labels, Function<String, String> cell) {
    Map<String, Long> sizes = new HashMap<>();
    labels.keySet().forEach(url -> sizes.merge(cell.apply(url), 1L, Long::sum));
    return sizes.values().stream().mapToLong(size -> size * (size - 1) / 2).sum();
  }
}
