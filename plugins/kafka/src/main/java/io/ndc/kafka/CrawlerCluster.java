package io.ndc.kafka;

import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client through which the plugins for crawlers ask: one a process for each configuration, whoever asks. It is
 * connected at the first page; if that fails, or the cluster refuses the client later, pages fail at once, and it is
 * tried again every {@value #CONNECT_SECONDS} seconds. Verdicts that come late are logged, and so are merged groups.
 *
 * <p>Public for the plugins of this version of ndc, and no part of the interface that stays. Threads: any number.
 */
public final class CrawlerCluster {
  private static final Logger LOG = LoggerFactory.getLogger(CrawlerCluster.class);
  private static final int CONNECT_SECONDS = 10;
  private static final String KEY = "nd.cluster";
  private static final String OPTION = "nd.option.";
  private static final Map<Map<String, String>, CrawlerCluster> CLIENTS = new ConcurrentHashMap<>();

  /** An attempt to connect. */
  private record Attempt(boolean isFirst, long beganAtNs, CompletableFuture<NdCluster> cluster) {}

  private final Map<String, String> settings;
  private final AtomicLong lateAnswers = new AtomicLong();
  private Attempt attempt;

  private CrawlerCluster(Map<String, String> settings) {
    this.settings = settings;
  }

  /**
   * The client of a plugin's configuration.
   *
   * @param configuration of it count {@code nd.cluster} (host:port), {@code nd.cluster.KEY}, a setting of
   *     docs/guide-cluster.md, and {@code nd.option.KEY}, an option of the library
   * @return not connected yet
   */
  public static CrawlerCluster of(Map<String, String> configuration) {
    Map<String, String> settings = new HashMap<>();
    configuration.forEach((key, value) -> {
      if (key.equals(KEY)) settings.put("bootstrap.servers", value.strip());
      if (key.startsWith(KEY + ".")) settings.put(key.substring(KEY.length() + 1), value);
      if (key.startsWith(OPTION)) settings.put("option." + key.substring(OPTION.length()), value);
    });
    return ofSettings(settings);
  }

  /**
   * The client of settings.
   *
   * @param settings docs/guide-cluster.md
   * @return not connected yet
   */
  public static CrawlerCluster ofSettings(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    // Kafka's own minute is too long for a page that waits.
    all.putIfAbsent("kafka.default.api.timeout.ms", Integer.toString(CONNECT_SECONDS * 1_000));
    return CLIENTS.computeIfAbsent(Map.copyOf(all), CrawlerCluster::new);
  }

  /**
   * Asks about a page. Waits for the connection, not for the answer.
   *
   * @param page not null
   * @param late hears the answer if it comes when the future has failed; must not wait
   * @return the answer; fails with what crawlers write down
   */
  public CompletableFuture<ClusterAnswer> ask(Page page, Consumer<ClusterAnswer> late) {
    try {
      return connected().ask(page, answer -> {
        lateAnswers.incrementAndGet();
        LOG.info("late: {} is {} in group {}", answer.url(), answer.committed().verdict(), answer.result().groupId());
        late.accept(answer);
      }).exceptionallyCompose(failure -> CompletableFuture.failedFuture(explained(failure)));
    } catch (RuntimeException | LinkageError refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /**
   * Waits for an answer.
   *
   * @param asked what {@link #ask} has returned
   * @return the answer
   * @throws KafkaException if there is none in time, or the cluster refuses
   * @throws NearDuplicatesException if the library refuses the page
   */
  public static ClusterAnswer await(Future<ClusterAnswer> asked) {
    try {
      return asked.get();
    } catch (ExecutionException failed) {
      throw refusal(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while the cluster decides", interrupted);
    }
  }

  private static RuntimeException refusal(Throwable cause) {
    return cause instanceof RuntimeException refused ? refused : new KafkaException(cause.toString(), cause);
  }

  private static Throwable explained(Throwable failure) {
    Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    return cause instanceof TimeoutException ? new KafkaException("no answer in time; the verdict comes later") : cause;
  }

  /**
   * Makes the cluster forget a page, some time.
   *
   * @param url as it was asked about
   */
  public void forget(String url) {
    connected().remove(url, false).exceptionally(failure -> {
      LOG.warn("{} is not forgotten: {}", url, failure.toString());
      return null;
    });
  }

  /** How many verdicts came late. */
  public long lateAnswers() {
    return lateAnswers.get();
  }

  /**
   * Connects, unless that was tried a moment ago.
   *
   * @throws KafkaException if the cluster is not to be had
   * @throws IllegalArgumentException naming what is wrong in the configuration
   */
  public void connect() {
    connected();
  }

  private NdCluster connected() {
    Attempt current = current();
    try {
      // Only the first ones wait: a crawl shall not stand still as often as a connection is tried.
      return current.cluster().get(current.isFirst() ? CONNECT_SECONDS : 0, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw refusal(failed.getCause());
    } catch (TimeoutException notYet) {
      throw new KafkaException("not connected: " + settings.get("bootstrap.servers"));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while the client connects", interrupted);
    }
  }

  private synchronized Attempt current() {
    Attempt last = attempt;
    boolean mayTryAgain = last != null && last.cluster().isDone() && isOver(last.cluster())
        && System.nanoTime() - last.beganAtNs() > CONNECT_SECONDS * 1_000_000_000L;
    if (last == null || mayTryAgain) {
      if (last != null) last.cluster().thenAccept(NdCluster::close);
      attempt = new Attempt(last == null, System.nanoTime(),
          CompletableFuture.supplyAsync(() -> NdCluster.connect(settings, new Merges()),
              task -> new Thread(task, "ndc-cluster-connect").start()));
    }
    return attempt;
  }

  private static boolean isOver(CompletableFuture<NdCluster> cluster) {
    return cluster.isCompletedExceptionally() || cluster.join().hasEnded();
  }

  /** What a crawler has written down is no longer so. */
  private static final class Merges implements NdCluster.Listener {
    @Override
    public void happened(ClusterEvent event) {
      if (event.kind() == ClusterEvent.Kind.MERGED)
        LOG.info("group {} is part of group {} now", event.oldGroupId(), event.newGroupId());
    }
  }
}
