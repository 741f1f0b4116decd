package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.bolt.FetcherBolt;
import com.digitalpebble.stormcrawler.bolt.JSoupParserBolt;
import com.digitalpebble.stormcrawler.persistence.Status;
import io.ndc.kafka.TriedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.LocalCluster;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two workers that get half of the pages each: what they find with engines of their own, and with a cluster. */
class ClusterCrawlTest {
  private static final String ORIGINAL = "http://paper.example/article";
  private static final String COPY = "http://agency.example/copy";

  @TempDir
  static Path folder;
  private static TriedCluster tried;
  private static LocalCluster storm;

  @BeforeAll
  static void start() throws Exception {
    tried = new TriedCluster(folder.resolve("cluster"));
    storm = new LocalCluster();
  }

  @AfterAll
  static void stop() throws Exception {
    storm.close();
    tried.close();
  }

  /** Sends pages to two bolts by their URLs. */
  public static final class Halves extends BaseRichBolt {
    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
      this.collector = collector;
    }

    @Override
    public void execute(Tuple page) {
      String half = Integer.toString(page.getStringByField("url").hashCode() & 1);
      collector.emit(half, page, page.getValues());
      collector.ack(page);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
      for (String half : List.of("0", "1")) {
        declarer.declareStream(half, new Fields("url", "content", "metadata", "text"));
      }
    }
  }

  /** Keeps what came late. */
  public static final class Late extends BaseRichBolt {
    static final Map<String, Metadata> VERDICTS = new ConcurrentHashMap<>();

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

    @Override
    public void execute(Tuple tuple) {
      VERDICTS.put(tuple.getStringByField("url"), (Metadata) tuple.getValueByField("metadata"));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
  }

  /** Each bolt stands for the one of a worker: with a configuration of its own it has its own engine, or client. */
  private static TopologyBuilder workers(Map<String, Object> first, Map<String, Object> second) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("spout", new Observed.Spout());
    builder.setBolt("fetch", new FetcherBolt()).shuffleGrouping("spout");
    builder.setBolt("parse", new JSoupParserBolt()).localOrShuffleGrouping("fetch");
    builder.setBolt("halves", new Halves()).shuffleGrouping("parse");
    builder.setBolt("worker0", new NearDuplicateBolt()).addConfigurations(first).shuffleGrouping("halves", "0");
    builder.setBolt("worker1", new NearDuplicateBolt()).addConfigurations(second).shuffleGrouping("halves", "1");
    builder.setBolt("late", new Late()).shuffleGrouping("worker0", NearDuplicateBolt.LATE)
        .shuffleGrouping("worker1", NearDuplicateBolt.LATE);
    builder.setBolt("index", new Observed.Indexer()).shuffleGrouping("worker0").shuffleGrouping("worker1");
    builder.setBolt("status", new Observed.StatusUpdater())
        .shuffleGrouping("fetch", "status")
        .shuffleGrouping("parse", "status")
        .shuffleGrouping("worker0", "status")
        .shuffleGrouping("worker1", "status")
        .shuffleGrouping("index", "status");
    return builder;
  }

  private static Map<String, Object> store(String name) {
    return Map.of("nd.store", folder.resolve(name).toString());
  }

  private static Map<String, Object> cluster(int timeoutMs) {
    return Map.of("nd.cluster", tried.address(), "nd.cluster.timeout.ms", timeoutMs);
  }

  @Test
  void copiesThatDifferentWorkersHaveSeenAreFound() throws Exception {
    SampleSite sample = new SampleSite();
    int[] apart = found("engines", sample, workers(store("a"), store("b")), false);
    int[] together = found("cluster", sample, workers(cluster(240_000), cluster(240_001)), true);
    assertTrue(apart[0] < together[0], "each engine knows its own pages only");
    assertEquals(sample.planted.size(), together[0]);
  }

  /** How many planted copies are found, and how many of those that another worker has than the original. */
  private static int[] found(String way, SampleSite sample, TopologyBuilder topology, boolean oneIndex)
      throws Exception {
    long began = System.nanoTime();
    try (Site site = new Site(sample.pages); Crawl crawl = new Crawl(storm, topology, site, Map.of())) {
      crawl.fetch(List.of(SampleSite.START));
      crawl.awaitFetched(sample.pages.keySet());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    sample.pages.keySet().forEach(url -> assertNull(Observed.value(url, "nd.failure"), url));
    int found = 0;
    int foundApart = 0;
    int apart = 0;
    for (Map.Entry<String, String> copy : sample.planted.entrySet()) {
      // Whichever of the two came first founded the group, or a version of it.
      boolean isApart = (copy.getKey().hashCode() & 1) != (copy.getValue().hashCode() & 1);
      // The numbers of two engines say nothing of each other.
      boolean isFound = (oneIndex || !isApart)
          && Observed.value(copy.getKey(), "nd.group").equals(Observed.value(copy.getValue(), "nd.group"));
      found += isFound ? 1 : 0;
      apart += isApart ? 1 : 0;
      foundApart += isFound && isApart ? 1 : 0;
    }
    long duplicates =
        sample.pages.keySet().stream().filter(url -> Observed.value(url, "nd.duplicate.of") != null).count();
    System.out.printf("%s: %d pages, %d duplicates; planted copies found %d of %d, of those at two workers %d of %d;"
            + " %.1f s%n",
        way, sample.pages.size(), duplicates, found, sample.planted.size(), foundApart, apart, seconds);
    return new int[] {found, foundApart};
  }

  @Test
  void pagesGoOnWhileNobodyAnswersAndVerdictsComeLate() throws Exception {
    Map<String, WebPage> pages = Map.of(ORIGINAL, Texts.article(1), COPY, Texts.copy(1, "Agency"));
    try (Site site = new Site(pages);
        Crawl crawl = new Crawl(storm, workers(cluster(500), cluster(501)), site, Map.of())) {
      tried.pause(true);
      crawl.fetchAndAwait(ORIGINAL, Status.FETCHED);
      assertTrue(Observed.value(ORIGINAL, "nd.failure").contains("no answer in time"),
          Observed.value(ORIGINAL, "nd.failure"));
      tried.pause(false);
      Crawl.await("the verdict comes late", () -> Late.VERDICTS.containsKey(ORIGINAL));
      assertEquals("new", Late.VERDICTS.get(ORIGINAL).getFirstValue("nd.verdict"));
      Crawl.await("a copy is found again", () -> {
        crawl.fetchAndAwait(COPY, Status.FETCHED);
        return ORIGINAL.equals(Observed.value(COPY, "nd.duplicate.of"));
      });
    }
  }

  @Test
  void pagesGoOnWithoutACluster() throws Exception {
    Map<String, Object> nowhere =
        Map.of("nd.cluster", "localhost:1", "nd.cluster.kafka.default.api.timeout.ms", "1000");
    try (Site site = new Site(Map.of(ORIGINAL, Texts.article(1), COPY, Texts.article(2)));
        Crawl crawl = new Crawl(storm, workers(nowhere, nowhere), site, Map.of())) {
      crawl.fetchAndAwait(ORIGINAL, Status.FETCHED);
      crawl.fetchAndAwait(COPY, Status.FETCHED);
      assertTrue(Observed.value(COPY, "nd.failure").contains("Timeout"), Observed.value(COPY, "nd.failure"));
    }
  }
}
