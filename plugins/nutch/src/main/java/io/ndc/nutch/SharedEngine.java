package io.ndc.nutch;

import io.ndc.Flag;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerInvocationHandler;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a store ({@code nd.store}; without it, one in memory), one a process, whoever asks: it is registered
 * with the process's MBean server. The store is opened at the first page and closed, with a snapshot, when the process
 * ends. If it cannot be opened, each page fails and every {@value #RETRIED_EVERY}th tries again.
 */
final class SharedEngine implements SharedEngineMBean {
  private static final Logger LOG = LoggerFactory.getLogger(SharedEngine.class);
  private static final int RETRIED_EVERY = 100;

  private final String store;
  private final Map<String, String> options;
  private final AtomicLong checks = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private NearDuplicates engine;
  private RuntimeException refusal;
  private long refused;
  private boolean hooked;

  private SharedEngine(String store, Map<String, String> options) {
    this.store = store;
    this.options = options;
  }

  /** The engine of the store that {@code conf} names; the options of whoever asked first hold. */
  static SharedEngineMBean of(Configuration conf) {
    String store = conf.get("nd.store", "").strip();
    String path = store.isEmpty() ? "" : Path.of(store).toAbsolutePath().normalize().toString();
    try {
      ObjectName name = new ObjectName("io.ndc:type=SharedEngine,store=" + ObjectName.quote(path));
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      try {
        server.registerMBean(new StandardMBean(new SharedEngine(path, NutchOptions.of(conf)), SharedEngineMBean.class),
            name);
      } catch (InstanceAlreadyExistsException e) {
        // Another instance of the plugin was first.
      }
      return MBeanServerInvocationHandler.newProxyInstance(server, name, SharedEngineMBean.class, false);
    } catch (JMException e) {
      throw new IllegalStateException("the engine of store '" + path + "' cannot be registered: " + e.getMessage(), e);
    }
  }

  @Override
  public String[] check(String url, byte[] body, String contentType, long fetchedAtMs, boolean truncated) {
    try {
      String[] answer = answer(url, fetchedAtMs, page(url, body, contentType, fetchedAtMs, truncated));
      checks.incrementAndGet();
      return answer;
    } catch (LinkageError e) {
      // MBean servers pass exceptions on, not errors.
      failures.incrementAndGet();
      throw new IllegalStateException("ndc's native library cannot be used: " + e, e);
    } catch (RuntimeException e) {
      failures.incrementAndGet();
      // An exception class that every class loader knows.
      throw new IllegalStateException(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  static Page page(String url, byte[] body, String contentType, long fetchedAtMs, boolean truncated) {
    Page page = Page.of(url, body).withContentType(contentType).withFetchedAtMs(fetchedAtMs);
    return truncated ? page.truncated() : page;
  }

  private String[] answer(String url, long fetchedAtMs, Page page) {
    NearDuplicates open = open();
    Optional<PageInfo> known = fetchedAtMs == 0 ? Optional.empty() : open.find(url);
    if (known.isPresent() && known.get().lastFetchedAtMs() == fetchedAtMs) {
      // A task that is run again: the page of this very fetch gets what it got the first time.
      return strings(known.get());
    }
    Result result = open.check(page);
    if (result.verdict() == Verdict.UNCHANGED) {
      // The page is unchanged since it got its group: report that group.
      return strings(open.find(url).orElseThrow());
    }
    String related = result.relatedGroupId() == 0 ? "" : Long.toUnsignedString(result.relatedGroupId());
    return strings(result.groupId(), result.verdict(), result.resemblance(), ratio(result.probability()), related,
        result.flags());
  }

  private static String[] strings(PageInfo info) {
    // A store keeps neither the probability nor the related group.
    return strings(info.groupId(), info.verdict(), info.resemblance(), "", "", info.flags());
  }

  static String[] strings(
      long group, Verdict verdict, double resemblance, String probability, String related, Set<Flag> flags) {
    return new String[] {Long.toUnsignedString(group), name(verdict), ratio(resemblance), probability, related,
        flags.stream().sorted().map(SharedEngine::name).collect(Collectors.joining(","))};
  }

  static String ratio(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private synchronized NearDuplicates open() {
    if (engine != null) {
      return engine;
    }
    if (refusal != null && ++refused % RETRIED_EVERY != 0) {
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
      refused = 0;
    } catch (RuntimeException e) {
      refusal = e;
      throw e;
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
