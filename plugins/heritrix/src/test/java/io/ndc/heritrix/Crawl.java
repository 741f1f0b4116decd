package io.ndc.heritrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.archive.crawler.framework.CrawlController;
import org.archive.crawler.framework.CrawlJob;
import org.archive.crawler.framework.Engine;

/** A crawl job in a folder of its own, run by Heritrix's engine in this process. */
final class Crawl implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final Duration POLL = Duration.ofMillis(20);

  /** Something to wait for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  static {
    Logger.getLogger("").setLevel(Level.WARNING);
  }

  private final Path folder;
  private final Engine engine;
  private final CrawlJob job;

  private Crawl(Path folder) {
    this.folder = folder;
    engine = new Engine(folder.getParent().toFile());
    job = engine.getJob(folder.getFileName().toString());
  }

  /**
   * Makes the folder of a job.
   *
   * @param folder is made
   * @param site to crawl
   * @param seeds to begin with
   * @param beans the configuration
   * @param overrides further lines for its list of overrides
   */
  static void make(Path folder, Site site, Collection<String> seeds, String beans, String... overrides)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(
        "metadata.robotsPolicyName=ignore",
        "crawlController.pauseAtStart=false",
        "disposition.delayFactor=0",
        "disposition.minDelayMs=0",
        "disposition.maxDelayMs=0",
        "scope.rules[2].maxHops=2",
        // The machine's hosts file has the hosts, and the site is their proxy.
        "fetchDns.disableJavaDnsResolves=true",
        "fetchDns.acceptNonDnsResolves=true",
        "fetchHttp.httpProxyHost=127.0.0.1",
        "fetchHttp.httpProxyPort=" + site.port(),
        "bdb.cachePercent=10"));
    lines.addAll(List.of(overrides));
    String text = Guide.withOverrides(beans, lines);
    text = Guide.replaceOnce(
        text,
        "ENTER_AN_URL_WITH_YOUR_CONTACT_INFO_HERE_FOR_WEBMASTERS_AFFECTED_BY_YOUR_CRAWL",
        "http://127.0.0.1/contact");
    text = Guide.replaceOnce(text, "http://example.example/example", String.join("\n", seeds));
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("crawler-beans.cxml"), text);
  }

  /** Launches the job in the folder. */
  static Crawl launch(Path folder) {
    return launch(folder, null);
  }

  /** Launches the job from a checkpoint, for instance "latest". */
  static Crawl resume(Path folder, String checkpoint) {
    return launch(folder, checkpoint);
  }

  private static Crawl launch(Path folder, String checkpoint) {
    Crawl crawl = new Crawl(folder);
    crawl.job.validateConfiguration();
    if (!crawl.job.hasValidApplicationContext()) {
      throw new IllegalStateException("the configuration is not valid: " + folder);
    }
    if (checkpoint != null) {
      crawl.job.getCheckpointService().setRecoveryCheckpointByName(checkpoint);
    }
    crawl.job.launch();
    return crawl;
  }

  CrawlJob job() {
    return job;
  }

  /** Waits until the crawl has ended by itself. */
  Crawl awaitEnd() throws IOException {
    return awaitEnd(PATIENCE);
  }

  /** Waits until the crawl has ended by itself, so long at most. */
  Crawl awaitEnd(Duration patience) throws IOException {
    await("the crawl ends", patience, () -> {
      CrawlController controller = job.getCrawlController();
      return controller != null && controller.isStopComplete();
    });
    return this;
  }

  /** The folder of the last launch. */
  Path launchFolder() throws IOException {
    return launchFolder(folder);
  }

  /** Whether the job in the folder was ever launched. */
  static boolean isLaunched(Path folder) {
    return Files.exists(folder.resolve("latest"));
  }

  static Path launchFolder(Path folder) throws IOException {
    return folder.resolve("latest").toRealPath();
  }

  /** The lines of the last launch's crawl.log with status 200. */
  List<CrawlLog.Line> fetched() throws IOException {
    return CrawlLog.fetched(launchFolder());
  }

  /** The report that the processors left at the end. */
  String report() throws IOException {
    return Files.readString(launchFolder().resolve("reports").resolve("processors-report.txt"));
  }

  /** The WARC files of the last launch whose names begin so. */
  List<WarcRecord> warcs(String prefix) throws IOException {
    List<WarcRecord> records = new ArrayList<>();
    try (Stream<Path> files = Files.list(launchFolder().resolve("warcs"))) {
      for (Path file : files.filter(path -> path.getFileName().toString().startsWith(prefix)).sorted().toList()) {
        records.addAll(WarcRecord.read(file));
      }
    }
    return records;
  }

  /** Waits for a condition, for {@link #PATIENCE} at most. */
  static void await(String what, Condition condition) throws IOException {
    await(what, PATIENCE, condition);
  }

  private static void await(String what, Duration patience, Condition condition) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited in vain, for " + patience.toSeconds() + " seconds, until " + what);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** Stops the job, wherever it is, and takes its context apart. */
  @Override
  public void close() throws IOException {
    if (job.getCrawlController() != null) {
      job.teardown();
      await("the job is taken apart", () -> !job.hasApplicationContext());
    }
  }
}
