package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.ConfigurableTopology;
import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.spout.MemorySpout;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.storm.LocalCluster;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.TopologyBuilder;
import org.yaml.snakeyaml.Yaml;

/** A topology that crawls a {@link Site}, in a cluster within this process. */
final class Crawl implements AutoCloseable {
  /** Where near-duplicates are looked for. */
  enum Way { FILTER, BOLT }

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static int number;

  private final LocalCluster.LocalTopology topology;

  /**
   * Starts a topology.
   *
   * @param tasks of the bolt that asks the engine
   * @param settings beside what the guide says
   */
  Crawl(LocalCluster cluster, Way way, int tasks, Site site, Map<String, Object> settings) throws Exception {
    this(cluster, way == Way.FILTER ? Topologies.withFilter(tasks) : Topologies.withBolt(tasks), site,
        with(settings, way == Way.FILTER ? Map.of("parsefilters.config.file", "parsefilters.json") : Map.of()));
  }

  /** Starts a topology of a test's own. */
  Crawl(LocalCluster cluster, TopologyBuilder builder, Site site, Map<String, Object> settings) throws Exception {
    Observed.clear();
    topology = cluster.submitTopology("crawl-" + ++number, configuration(site, settings), builder.createTopology());
  }

  private static Map<String, Object> with(Map<String, Object> settings, Map<String, Object> more) {
    Map<String, Object> both = new HashMap<>(settings);
    both.putAll(more);
    return both;
  }

  private static Map<String, Object> configuration(Site site, Map<String, Object> settings) throws Exception {
    Map<String, Object> conf = new HashMap<>();
    try (InputStream defaults =
             ConfigurableTopology.class.getClassLoader().getResourceAsStream("crawler-default.yaml")) {
      conf.putAll(config(new String(defaults.readAllBytes(), StandardCharsets.UTF_8)));
    }
    conf.putAll(config(Guide.block("yaml", "crawler-conf.yaml")));
    conf.put("http.proxy.host", "127.0.0.1");
    conf.put("http.proxy.port", site.port());
    conf.put("urlfilters.config.file", "urlfilters.json");
    // As it was once: what a server sends has the names of what the crawler knows.
    conf.put("protocol.md.prefix", "");
    conf.put("fetcher.server.delay", 0);
    conf.put("topology.message.timeout.secs", 300);
    conf.putAll(settings);
    return conf;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> config(String yaml) {
    return (Map<String, Object>) ((Map<String, Object>) new Yaml().load(yaml)).get("config");
  }

  /** Fetches pages, with what the status store has of them. */
  void fetch(Collection<String> urls) {
    for (String url : urls) {
      Observed.Row row = Observed.STATUS.get(url);
      Metadata metadata = new Metadata();
      if (row != null) {
        metadata.putAll(row.metadata());
      }
      MemorySpout.add(url, metadata, new Date());
    }
  }

  /** Fetches a page and waits until its status is written. */
  void fetchAndAwait(String url, Status status) {
    int before = Observed.STATUS.containsKey(url) ? Observed.STATUS.get(url).stores() : 0;
    fetch(List.of(url));
    await(url + " is " + status, () -> {
      Observed.Row row = Observed.STATUS.get(url);
      return row != null && row.stores() > before && row.status() == status;
    });
  }

  void awaitFetched(Collection<String> urls) {
    await("all pages are FETCHED", () -> urls.stream().allMatch(url -> {
      Observed.Row row = Observed.STATUS.get(url);
      return row != null && row.status() == Status.FETCHED;
    }));
  }

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Override
  public void close() throws TException {
    topology.close();
    await("the topology has ended", () -> Observed.SPOUTS.get() == 0);
    closeEngines();
  }

  // As at the end of the worker.
  private static void closeEngines() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      for (ObjectName name : server.queryNames(new ObjectName("io.ndc:type=SharedEngine,*"), null)) {
        server.invoke(name, "close", null, null);
      }
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }
}
