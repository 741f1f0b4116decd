package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.protocol.ProtocolResponse;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import io.ndc.crawler.Failures;
import io.ndc.crawler.HostPatterns;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the filter and the bolt have in common: a page goes to the engine of the worker, the answer into its metadata.
 * Whatever fails there, the page continues; {@code nd.failure} says why it has no verdict.
 */
final class PageCheck {
  private static final Logger LOG = LoggerFactory.getLogger(PageCheck.class);
  private static final Failures FAILURES = new Failures(LOG::warn, "the page goes on without a verdict");
  private static final Set<String> TYPES = Set.of("text/html", "application/xhtml+xml", "text/plain");

  private final Map<String, Object> conf;
  private final HostPatterns excluded;
  private final boolean dropsDuplicates;
  private final boolean leavesOutParts;
  private final String prefix;

  PageCheck(Map<String, Object> conf) {
    this.conf = conf;
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
   * @return whether the page is to be left out of the index
   */
  boolean leavesOut(String url, byte[] body, Metadata metadata) {
    VerdictMetadata.remove(metadata);
    String type = header(metadata, "content-type", "Content-Type");
    if (excluded.matchesUrl(url) || !isText(type)) {
      return false;
    }
    try {
      // Not before: what fails here must not stop the topology.
      SharedEngine engine = SharedEngine.of(conf);
      boolean truncated = Boolean.parseBoolean(header(metadata, ProtocolResponse.TRIMMED_RESPONSE_KEY));
      Answer answer = engine.check(url, body == null ? new byte[0] : body, type, truncated);
      VerdictMetadata.write(metadata, answer);
      return dropsDuplicates && engine.mayBeLeftOut(answer, leavesOutParts);
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      // An error of the JVM too: Storm would end the worker and play the page again, with the same end.
      FAILURES.add(url, e);
      VerdictMetadata.writeFailure(metadata, e);
      return false;
    }
  }

  /** Makes the engine forget a page that was removed, so that its copies are no longer duplicates of it. */
  void forget(String url) {
    try {
      SharedEngine.of(conf).forget(url);
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

  /** Whether pages may come to an engine of another worker, which knows other pages. */
  static boolean isSpread(List<Integer> tasks, List<Integer> tasksOfThisWorker) {
    return !tasksOfThisWorker.containsAll(tasks);
  }
}
