package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.util.ConfUtils;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.crawler.FounderComparison;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a store ({@code nd.store}; without it, one in memory), one a worker, however many bolts and filters
 * ask. The store is opened at the first page and closed, with a snapshot, when the worker ends. If it cannot be opened,
 * pages fail at once and it is tried again every {@code nd.reopen.seconds}.
 *
 * <p>Threads: any number may share one.
 */
final class SharedEngine implements SharedEngineMBean {
  private static final Logger LOG = LoggerFactory.getLogger(SharedEngine.class);
  private static final String OPTION_PREFIX = "nd.option.";
  private static final int REOPEN_SECONDS = 10;
  private static final Map<String, SharedEngine> ENGINES = new ConcurrentHashMap<>();

  private final String store;
  private final Map<String, String> options;
  private final long reopenNanos;
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private NearDuplicates engine;
  private RuntimeException refusal;
  private long refusedAtNanos;
  private boolean hooked;

  private SharedEngine(String store, Map<String, String> options, int reopenSeconds) {
    this.store = store;
    this.options = options;
    reopenNanos = reopenSeconds * 1_000_000_000L;
  }

  /** The engine of the store that the topology's configuration names; the options of whoever asked first hold. */
  static SharedEngine of(Map<String, Object> conf) {
    String store = ConfUtils.getString(conf, "nd.store", "").strip();
    String path = store.isEmpty() ? "" : Path.of(store).toAbsolutePath().normalize().toString();
    return ENGINES.computeIfAbsent(path, key -> {
      SharedEngine made =
          new SharedEngine(key, options(conf), ConfUtils.getInt(conf, "nd.reopen.seconds", REOPEN_SECONDS));
      made.register();
      return made;
    });
  }

  // YAML gives numbers and booleans as such.
  private static Map<String, String> options(Map<String, Object> conf) {
    Map<String, String> options = new TreeMap<>();
    conf.forEach((key, value) -> {
      if (key.startsWith(OPTION_PREFIX)) {
        options.put(key.substring(OPTION_PREFIX.length()), String.valueOf(value));
      }
    });
    return options;
  }

  private void register() {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(new StandardMBean(this, SharedEngineMBean.class),
          new ObjectName("io.ndc:type=SharedEngine,store=" + ObjectName.quote(store)));
    } catch (JMException e) {
      LOG.warn("store '{}': JMX does not show its engine: {}", store, e.toString());
    }
  }

  /**
   * Checks a page that was fetched now.
   *
   * @param contentType null: unknown
   * @throws RuntimeException if there is no verdict
   */
  Answer check(String url, byte[] body, String contentType, boolean truncated) {
    boolean answered = false;
    try {
      NearDuplicates open = open();
      Page page = Page.of(url, body).withContentType(contentType);
      Result result = open.check(truncated ? page.truncated() : page);
      Answer answer = result.verdict() == Verdict.UNCHANGED ? known(open, url)
          : Answer.of(result, founder(open, result.groupId(), result.pageId()));
      answered = true;
      return answer;
    } finally {
      (answered ? checks : failures).incrementAndGet();
    }
  }

  // The page is unchanged since it got its group: report that group. A repeated tuple gets the same answer.
  private static Answer known(NearDuplicates open, String url) {
    PageInfo info = open.find(url).orElseThrow();
    return Answer.of(info, founder(open, info.groupId(), info.pageId()));
  }

  /**
   * Whether the index may do without a page that was checked: it is a copy of the founder of its group.
   *
   * @param parts whether a page counts as one that contains the founder and much more, or lies in it with much more
   * @throws RuntimeException if that cannot be known
   */
  boolean mayBeLeftOut(Answer answer, boolean parts) {
    return answer.founder() != null && FounderComparison.of(open(), answer.group(), answer.page())
        .filter(compared -> compared.isCopy() || (parts && compared.isPart())).isPresent();
  }

  private static String founder(NearDuplicates open, long group, long page) {
    return group == page ? null
        : open.page(group).filter(info -> info.groupId() == info.pageId()).map(PageInfo::url).orElse(null);
  }

  /** Forgets a page that was removed; one that is not known is not an error. */
  void forget(String url) {
    open().remove(url);
  }

  private synchronized NearDuplicates open() {
    if (engine != null) {
      return engine;
    }
    if (refusal != null && System.nanoTime() - refusedAtNanos < reopenNanos) {
      throw refusal;
    }
    try {
      if (!hooked) {
        // First: a process that is ending takes no more hooks, and must not be left with a store that nobody closes.
        Runtime.getRuntime().addShutdownHook(new Thread(this::closeAtExit, "ndc-close"));
        hooked = true;
      }
      engine = store.isEmpty() ? NearDuplicates.inMemory(options) : NearDuplicates.open(Path.of(store), options);
      refusal = null;
    } catch (RuntimeException e) {
      refusal = e;
    } catch (LinkageError e) {
      refusal = new IllegalStateException("ndc's native library cannot be used: " + e, e);
    }
    if (refusal != null) {
      refusedAtNanos = System.nanoTime();
      throw refusal;
    }
    return engine;
  }

  @Override
  public synchronized void close() {
    NearDuplicates closing = engine;
    engine = null;
    if (closing != null) {
      closing.close();
    }
  }

  private void closeAtExit() {
    try {
      close();
    } catch (RuntimeException e) {
      LOG.error("store {}: not closed properly: {}", store, e.getMessage());
    }
  }

  @Override
  public long getChecks() {
    return checks.get();
  }

  @Override
  public long getFailures() {
    return failures.get();
  }

  @Override
  public synchronized String metrics() {
    return engine == null ? "" : engine.metrics();
  }
}
