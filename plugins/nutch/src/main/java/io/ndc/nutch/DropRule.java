package io.ndc.nutch;

import io.ndc.NearDuplicates;
import io.ndc.PageInfo;
import io.ndc.crawler.Failures;
import io.ndc.crawler.FounderComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDbReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a page may be left out of the index: only if it is a copy of the founder of its group, and that one stays.
 * The store says the first, by its last snapshot, for the verdict in a segment may be older than the group; with {@code
 * nd.index.leave.out.parts} a page that contains the founder and much more, or lies in it so, counts as a copy. The
 * crawldb says the second, for the founder may be gone, or a duplicate by a job. In a crawldb that {@link NearDedupJob}
 * has marked, no page is left out: the job keeps others than the engine, and what the one keeps the other could remove.
 * Whatever cannot be known keeps the page. With a cluster, the segment says what the store would.
 *
 * <p>Threads: any number may share one.
 */
final class DropRule {
  private static final Logger LOG = LoggerFactory.getLogger(DropRule.class);

  private final Failures failures = new Failures(LOG::warn, "the page stays in the index");
  private final Configuration conf;
  private final String store;
  private final String crawlDb;
  private final boolean leavesOutParts;
  private final boolean asksCluster;
  private final CrawlDbReader entries = new CrawlDbReader();
  private NearDuplicates snapshot;

  /** The rule for the store {@code nd.store} and the crawldb {@code nd.index.crawldb}. */
  DropRule(Configuration conf) {
    this.conf = conf;
    store = conf.get("nd.store", "").strip();
    crawlDb = conf.get("nd.index.crawldb", "").strip();
    asksCluster = ClusterCheck.isWanted(conf);
    leavesOutParts = conf.getBoolean("nd.index.leave.out.parts", false);
    if (!isComplete()) {
      LOG.error("nd.index.drop.duplicates: nothing is left out of the index; it needs nd.store, the store that the"
          + " parser wrote, or nd.cluster, and nd.index.crawldb, the crawldb");
    }
  }

  private boolean isComplete() {
    return (asksCluster || !store.isEmpty()) && !crawlDb.isEmpty();
  }

  /**
   * Whether the index may do without the page.
   *
   * @param copyOf what a cluster has said, or null
   */
  synchronized boolean allows(String url, String copyOf) {
    if (!isComplete()) {
      return false;
    }
    try {
      if (NearDedupJob.hasMarked(conf, new org.apache.hadoop.fs.Path(crawlDb))) {
        return false;
      }
      Optional<String> founder = asksCluster ? Optional.ofNullable(copyOf) : founder(url);
      return founder.isPresent() && stays(founder.get());
    } catch (VirtualMachineError e) {
      throw e;  // after it nothing is certain
    } catch (Throwable e) {
      failures.add(url, e);
      return false;
    }
  }

  // The page that is in the index instead; none if the page is that itself, or no copy of it.
  private Optional<String> founder(String url) {
    if (snapshot == null) {
      snapshot = NearDuplicates.open(Path.of(store), Map.of("read_only", "true"));
    }
    Optional<PageInfo> page = snapshot.find(url);
    return page.flatMap(info -> snapshot.page(info.groupId()))
        .filter(info -> info.groupId() == info.pageId() && info.pageId() != page.get().pageId())
        .filter(info -> isCopy(page.get()))
        .map(PageInfo::url);
  }

  private boolean isCopy(PageInfo page) {
    return FounderComparison.of(snapshot, page.groupId(), page.pageId())
        .filter(compared -> compared.isCopy() || (leavesOutParts && compared.isPart())).isPresent();
  }

  private boolean stays(String founder) throws IOException {
    CrawlDatum entry = entries.get(crawlDb, founder, conf);
    return entry != null && (entry.getStatus() == CrawlDatum.STATUS_DB_FETCHED
        || entry.getStatus() == CrawlDatum.STATUS_DB_NOTMODIFIED);
  }
}
