package io.ndc.heritrix;

import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.crawler.FounderComparison;
import io.ndc.crawler.HostPatterns;
import io.ndc.heritrix.CheckCounters.Count;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.archive.checkpointing.Checkpoint;
import org.archive.modules.CrawlURI;
import org.archive.modules.CrawlURI.FetchType;
import org.archive.modules.ProcessResult;
import org.archive.modules.Processor;
import org.archive.spring.ConfigPath;
import org.archive.url.URIException;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Asks ndc about each page that was fetched: is it new, the same as before, or a near-duplicate of one that is there?
 * It stands in the disposition chain, after the links were extracted and before the WARC writers, and changes nothing
 * but what it adds: the annotation {@value NearDuplicateVerdict#ANNOTATION} on exact and near duplicates, the extra
 * infos {@code nd_group}, {@code nd_verdict}, {@code nd_resemblance}, {@code nd_probability} and {@code
 * nd_related_group}, and the {@link NearDuplicateVerdict} for
 * {@link NearDuplicateDecideRule} and {@link NearDuplicateMetadataRecordBuilder}.
 *
 * <p>The store is opened in {@link #start}, closed in {@link #stop} and takes a snapshot at each checkpoint. It lives
 * as long as the job directory: a crawl that is resumed, or launched again, knows the pages of the launches before.
 *
 * <p>Failures of ndc never fail a fetch: they are counted in the report, and the page continues without a verdict.
 *
 * <p>{@code enabled} and {@code maxBodyBytes} can be overridden by sheets.
 */
public final class NearDuplicateProcessor extends Processor {
  private static final Logger LOGGER = Logger.getLogger(NearDuplicateProcessor.class.getName());
  private static final int BODY_BYTES_MAX = 1 << 30;
  /** How FetchHTTP annotates a content coding that the recorder cannot undo. */
  private static final String UNKNOWN_ENCODING = "unsatisfiableContentEncoding:";
  /** What CrawlURI has where the server said nothing. */
  private static final String NO_TYPE = "unknown";

  private final BodyBuffers buffers = BodyBuffers.shareOfHeap();
  private final CheckCounters counters = new CheckCounters();
  private ConfigPath storePath = new ConfigPath("near-duplicate store", "near-duplicates.ndc");
  private Map<String, String> options = Map.of();
  private Map<String, String> cluster = Map.of();
  private boolean required;
  private int reopenSeconds = 60;
  private HostPatterns excludedHosts = HostPatterns.NONE;
  private List<String> contentTypes = List.of("text/html", "application/xhtml+xml", "text/plain");
  private Set<Integer> statusCodes = Set.of(200);
  private volatile VerdictStore store;
  private volatile ClusterCheck clusterCheck;

  /** A processor with the defaults. */
  public NearDuplicateProcessor() {
    setMaxBodyBytes(4 << 20);
  }

  /** The store's directory. */
  public ConfigPath getStorePath() {
    return storePath;
  }

  /**
   * Sets the store's directory; default {@code near-duplicates.ndc} in the job directory. It is made if it is not
   * there.
   */
  public void setStorePath(ConfigPath storePath) {
    this.storePath = storePath;
  }

  /** The options of ndc. */
  public Map<String, String> getOptions() {
    return options;
  }

  /** Sets options of ndc, as {@code ndc options} lists them; default none. */
  public void setOptions(Map<String, String> options) {
    this.options = Map.copyOf(options);
  }

  /** The settings of the cluster that is asked. */
  public Map<String, String> getCluster() {
    return cluster;
  }

  /**
   * Sets a cluster to be asked in place of a store: {@code bootstrap.servers} and what else docs/guide-cluster.md
   * lists; default none. A page waits for its answer, {@code timeout.ms} at most.
   */
  public void setCluster(Map<String, String> cluster) {
    this.cluster = Map.copyOf(cluster);
  }

  /** Whether the crawl may not start without its store, or cluster. */
  public boolean getRequired() {
    return required;
  }

  /**
   * Sets whether a store that cannot be opened, or a cluster that cannot be reached, ends the launch; default false:
   * the crawl continues without verdicts and says so.
   */
  public void setRequired(boolean required) {
    this.required = required;
  }

  /** Seconds between two attempts to open a store that was not to be had. */
  public int getReopenSeconds() {
    return reopenSeconds;
  }

  /**
   * Sets the seconds between two attempts to open a store that was not to be had; default 60.
   *
   * @throws IllegalArgumentException negative
   */
  public void setReopenSeconds(int reopenSeconds) {
    if (reopenSeconds < 0) {
      throw new IllegalArgumentException("reopenSeconds is " + reopenSeconds + "; it must be 0 or more");
    }
    this.reopenSeconds = reopenSeconds;
  }

  /** The patterns of hosts whose pages are not checked. */
  public List<String> getExcludedHosts() {
    return excludedHosts.patterns();
  }

  /**
   * Sets patterns of host names whose pages are not checked, in which {@code *} matches any characters, or regular
   * expressions between slashes: {@code example.org}, {@code *.example.org}, {@code /wiki[0-9]+\.example\.org/}.
   * Default none.
   *
   * @throws IllegalArgumentException a pattern that no host name can match
   */
  public void setExcludedHosts(List<String> patterns) {
    excludedHosts = HostPatterns.of(patterns);
  }

  /** The content types that are checked. */
  public List<String> getContentTypes() {
    return contentTypes;
  }

  /**
   * Sets the content types that are checked, without parameters; empty: all. Default {@code text/html},
   * {@code application/xhtml+xml}, {@code text/plain}. A page without a content type is always checked: ndc
   * looks at the bytes.
   */
  public void setContentTypes(List<String> contentTypes) {
    this.contentTypes = contentTypes.stream().map(type -> type.trim().toLowerCase(Locale.ROOT)).toList();
  }

  /** The HTTP status codes that are checked. */
  public Set<Integer> getStatusCodes() {
    return statusCodes;
  }

  /** Sets the HTTP status codes that are checked; default 200 only. */
  public void setStatusCodes(Set<Integer> statusCodes) {
    this.statusCodes = Set.copyOf(statusCodes);
  }

  /** How much of a body is read, in bytes after decoding. */
  public int getMaxBodyBytes() {
    return (Integer) kp.get("maxBodyBytes");
  }

  /**
   * Sets how much of a body is read, in bytes after decoding, 1024..1 GiB; default 4 MiB. A longer page is checked by
   * its beginning and flagged as truncated. The bodies of all pages that are checked at once may take as much together,
   * outside of the heap, as an eighth of the largest heap; threads that find too little left wait. No body is longer.
   *
   * @throws IllegalArgumentException out of range
   */
  public void setMaxBodyBytes(int maxBodyBytes) {
    if (maxBodyBytes < 1024 || maxBodyBytes > BODY_BYTES_MAX) {
      throw new IllegalArgumentException("maxBodyBytes is " + maxBodyBytes + "; it must be 1024.." + BODY_BYTES_MAX);
    }
    kp.put("maxBodyBytes", maxBodyBytes);
  }

  @Override
  public void start() {
    if (isRunning) {
      return;
    }
    if (!cluster.isEmpty()) {
      startCluster();
      super.start();
      return;
    }
    VerdictStore opening = new VerdictStore(
        storePath.getFile().toPath().toAbsolutePath().normalize(), options, Duration.ofSeconds(reopenSeconds));
    if (!opening.open() && required) {
      throw new IllegalStateException(opening.problem() + "; " + getBeanName() + ".required is true");
    }
    store = opening;
    super.start();
  }

  private void startCluster() {
    ClusterCheck check = new ClusterCheck(cluster, options);
    try {
      check.connect();
    } catch (RuntimeException e) {
      if (required) {
        throw new IllegalStateException(
            "the cluster " + cluster + " is not to be had: " + e + "; " + getBeanName() + ".required is true",
            e);
      }
      failed("the cluster " + cluster + " is not to be had; it is tried again", e);
    }
    clusterCheck = check;
  }

  @Override
  public void stop() {
    super.stop();
    VerdictStore open = store;
    if (open != null) {
      open.close();
    }
  }

  /**
   * Writes the counters, and a snapshot of the store. Heritrix lets no page through the disposition chain meanwhile.
   */
  @Override
  public void doCheckpoint(Checkpoint checkpointInProgress) throws IOException {
    try {
      NearDuplicates engine = store == null ? null : store.engine();
      if (engine != null) {
        engine.snapshot();
      }
    } catch (NearDuplicatesException e) {
      counters.add(Count.SNAPSHOTS_FAILED);
      LOGGER.log(Level.WARNING, "no snapshot of the near-duplicate store at this checkpoint: " + e.getMessage(), e);
    }
    super.doCheckpoint(checkpointInProgress);
  }

  @Override
  protected JSONObject toCheckpointJson() throws JSONException {
    return super.toCheckpointJson().put("checks", counters.toJson());
  }

  @Override
  protected void fromCheckpointJson(JSONObject json) throws JSONException {
    super.fromCheckpointJson(json);
    counters.restore(json.optJSONObject("checks", new JSONObject()));
  }

  /** The counters since the crawl began, and the state of the store. */
  @Override
  public String report() {
    VerdictStore current = store;
    String state = "not opened yet";
    if (clusterCheck != null) {
      state = "the cluster " + cluster.get("bootstrap.servers") + ", late verdicts: " + clusterCheck.lateAnswers();
    } else if (current != null) {
      state = current.problem() != null ? "NOT OPEN, pages have no verdicts: " + current.problem()
                                        : current.path().toString();
    }
    return super.report() + "  Function:          Finds near-duplicates (ndc)\n"
        + "  Store:             " + state + "\n" + counters.report();
  }

  @Override
  public ProcessResult process(CrawlURI uri) throws InterruptedException {
    NearDuplicateVerdict.detachFrom(uri);
    return super.process(uri);
  }

  @Override
  protected boolean shouldProcess(CrawlURI uri) {
    if (uri.getRecorder() == null || uri.isPrerequisite() || uri.getFetchType() != FetchType.HTTP_GET
        || !statusCodes.contains(uri.getFetchStatus()) || !isWantedType(uri.getContentType())) {
      return false;
    }
    if (excludedHosts.matches(host(uri))) {
      counters.add(Count.EXCLUDED);
      return false;
    }
    if (uri.getAnnotations().stream().anyMatch(annotation -> annotation.startsWith(UNKNOWN_ENCODING))) {
      counters.add(Count.UNDECODABLE);
      return false;
    }
    return true;
  }

  private boolean isWantedType(String contentType) {
    return contentTypes.isEmpty() || !hasType(contentType)
        || contentTypes.contains(contentType.split(";", 2)[0].trim().toLowerCase(Locale.ROOT));
  }

  private static boolean hasType(String contentType) {
    return contentType != null && !contentType.isBlank() && !contentType.equals(NO_TYPE);
  }

  private static String host(CrawlURI uri) {
    try {
      return uri.getUURI().getHost();
    } catch (URIException e) {
      return null;
    }
  }

  @Override
  protected void innerProcess(CrawlURI uri) {
    try {
      NearDuplicates engine = store == null ? null : store.engine();
      if (engine == null && clusterCheck == null) {
        counters.add(Count.UNAVAILABLE);
        return;
      }
      long began = System.nanoTime();
      check(engine, uri);
      counters.addLatency(System.nanoTime() - began);
    } catch (RuntimeException | IOException | LinkageError | VirtualMachineError e) {
      // A VirtualMachineError too: Heritrix pauses the whole crawl when one page lacks memory.
      failed("no near-duplicate verdict on " + uri, e);
    }
  }

  /** Removes a page from the store, since it is in no archive that a near-duplicate could be left out for. */
  void forget(CrawlURI uri) {
    try {
      NearDuplicates engine = store == null ? null : store.engine();
      if (clusterCheck != null) {
        clusterCheck.forget(uri.getURI());
        counters.add(Count.FORGOTTEN);
      } else if (engine != null && engine.remove(uri.getURI())) {
        counters.add(Count.FORGOTTEN);
      }
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      failed(uri + " is in no WARC file, and ndc still knows it", e);
    }
  }

  private void check(NearDuplicates engine, CrawlURI uri) throws IOException {
    Supplier<NearDuplicateVerdict> answer;
    try (RecordedBody body = RecordedBody.read(uri, getMaxBodyBytes(), buffers)) {
      Page page = Page.of(uri.getURI(), body.bytes()).withFetchedAtMs(uri.getFetchBeginTime());
      if (hasType(uri.getContentType())) {
        page = page.withContentType(uri.getContentType());
      }
      if (body.truncated()) {
        counters.add(Count.TRUNCATED);
        page = page.truncated();
      }
      answer = clusterCheck == null ? answer(engine, page) : clusterCheck.ask(page);
    }
    NearDuplicateVerdict verdict = answer.get();
    verdict.attachTo(uri);
    counters.add(Count.CHECKED);
    if (verdict.isDuplicate()) {
      counters.add(Count.DUPLICATES);
    } else if (verdict.verdict() == Verdict.UNCHANGED) {
      counters.add(Count.UNCHANGED);
    }
  }

  private static Supplier<NearDuplicateVerdict> answer(NearDuplicates engine, Page page) {
    Result result = engine.check(page);
    return () -> NearDuplicateVerdict.of(result, FounderComparison.of(engine, result), url(engine, result.groupId()),
        url(engine, result.matchedPageId()));
  }

  /** The URL of a page; null for id 0 and for a page that was removed. */
  private static String url(NearDuplicates engine, long pageId) {
    return pageId == 0 ? null : engine.page(pageId).map(PageInfo::url).orElse(null);
  }

  /**
   * Logs the first failure, the second, the fourth, the eighth and so on: a broken store must not fill the disk with
   * its log.
   */
  private void failed(String what, Throwable failure) {
    long count = counters.add(Count.FAILED);
    if (Long.bitCount(count) != 1) {
      return;
    }
    try {
      LOGGER.log(Level.WARNING, what + " (failure " + count + " of this crawl): " + failure, failure);
    } catch (VirtualMachineError e) {
      // There is no memory for the message; the failure is only counted.
    }
  }
}
