package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.protocol.ProtocolResponse;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import io.ndc.Page;
import io.ndc.crawler.Failures;
import io.ndc.crawler.HostPatterns;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the filter and the bolt have in common: a page goes to the engine of the worker, or with {@code nd.cluster} to
 * that of all, the answer into its metadata. Whatever fails there, the page continues; {@code nd.failure} says why it
 * has no verdict.
 */
final class PageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PageCheck.class);
  private static final Failures FAILURES = new Failures(LOG::warn, "the page goes on without a verdict");
  private static final Set<String> TYPES = Set.of("text/html", "application/xhtml+xml", "text/plain");

  private final Map<String, Object> conf;
  private final boolean asksCluster;
  private final HostPatterns excluded;
  private final boolean dropsDuplicates;
  private final boolean leavesOutParts;
  private final String prefix;

  PageCheck(Map<String, Object> conf) {
    this.conf = conf;
    asksCluster = !ConfUtils.getString(conf, "nd.cluster", "").isBlank();
    excluded = HostPatterns.read(String.join(" ", ConfUtils.loadListFromConf("nd.exclude.hosts", conf)),
        error -> LOG.error("nd.exclude.hosts: {}; it excludes nothing", error));
    dropsDuplicates = ConfUtils.getBoolean(conf, "nd.index.drop.duplicates", false);
    leavesOutParts = ConfUtils.getBoolean(conf, "nd.index.leave.out.parts", false);
    prefix = ConfUtils.getString(conf, ProtocolResponse.PROTOCOL_MD_PREFIX_PARAM, "");
  }

  /**
   * Checks a page.
   *
   * @param body as it was fetched, null: empty
   * @param metadata of the page, in which the answer takes the place of an earlier one
   * @param late hears what a cluster answers when the future is complete already, as the metadata of a page
   * @return whether the page is to be left out of the index; never fails. It is complete at once but with a cluster
   */
  CompletableFuture<Boolean> leavesOut(String url, byte[] body, Metadata metadata, Consumer<Metadata> late) {
    VerdictMetadata.remove(metadata);
    String type = header(metadata, "content-type", "Content-Type");
    if (excluded.matchesUrl(url) || !isText(type)) {
      return CompletableFuture.completedFuture(false);
    }
    try {
      boolean truncated = Boolean.parseBoolean(header(metadata, ProtocolResponse.TRIMMED_RESPONSE_KEY));
      byte[] bytes = body == null ? new byte[0] : body;
      if (asksCluster) {
        Page page = Page.of(url, bytes).withContentType(type);
        return ClusterCheck.isCopy(conf, truncated ? page.truncated() : page, leavesOutParts, metadata, late)
            .thenApply(isCopy -> isCopy && dropsDuplicates)
            .exceptionally(failure -> fail(url, failure.getCause(), metadata));
      }
      // Not before: what fails here must not stop the topology.
      SharedEngine engine = SharedEngine.of(conf);
      Answer answer = engine.check(url, bytes, type, truncated);
      VerdictMetadata.write(metadata, answer);
      return CompletableFuture.completedFuture(dropsDuplicates && engine.mayBeLeftOut(answer, leavesOutParts));
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      // An error of the JVM too: Storm would end the worker and play the page again, with the same end.
      return CompletableFuture.completedFuture(fail(url, e, metadata));
    }
  }

  private static boolean fail(String url, Throwable failure, Metadata metadata) {
    FAILURES.add(url, failure);
    VerdictMetadata.writeFailure(metadata, failure);
    return false;
  }

  /** Makes the engine forget a page that was removed, so that its copies are no longer duplicates of it. */
  void forget(String url) {
    try {
      if (asksCluster) {
        ClusterCheck.forget(conf, url);
      } else {
        SharedEngine.of(conf).forget(url);
      }
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      FAILURES.add(url, e);
    }
  }

  // Protocols of StormCrawler do not agree about the case of a name.
  private String header(Metadata metadata, String... names) {
    for (String name : names) {
      String value = metadata.getFirstValue(prefix + name);
      if (value != null && !value.isBlank()) {
        return value;
      }
    }
    return null;
  }

  // The engine looks at the bytes where the server does not say what they are.
  private static boolean isText(String type) {
    return type == null || TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
  }

  /** Whether all workers ask one cluster. */
  boolean asksCluster() {
    return asksCluster;
  }

  /** Whether pages may come to an engine of another worker, which knows other pages. */
  static boolean isSpread(List<Integer> tasks, List<Integer> tasksOfThisWorker) {
    return !tasksOfThisWorker.containsAll(tasks);
  }
}
