package io.ndc.kafka;

import io.ndc.Result;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A broker, and instances and clients of clusters on it: what tests of hostile surroundings begin with. */
final class OneBroker implements AutoCloseable {
  /** Of an answer, however slow the machine is. */
  static final long PATIENCE_S = 240;

  /** A dead instance is noticed within seconds. */
  static final Map<String, String> QUICK = Map.of("kafka.main.consumer.session.timeout.ms", "3000",
      "kafka.main.consumer.heartbeat.interval.ms", "1000");

  final LocalProcesses local;
  final Process broker;

  OneBroker(Path folder) throws Exception {
    local = new LocalProcesses(folder, LocalProcesses.freePorts(1));
    try {
      broker = local.broker(0);
      local.awaitBrokers();
    } catch (Exception failure) {
      local.close();
      throw failure;
    }
  }

  /** With others beside those of a client. */
  Map<String, String> settings(String... more) {
    Map<String, String> settings = new HashMap<>(local.settings());
    for (int i = 0; i < more.length; i += 2)
      settings.put(more[i], more[i + 1]);
    return settings;
  }

  NdCluster connect(NdCluster.Listener listener, String... more) {
    Map<String, String> settings = settings(more);
    settings.putIfAbsent("timeout.ms", Long.toString(1_000 * PATIENCE_S));
    return NdCluster.connect(settings, listener);
  }

  NdCluster connect(String... more) {
    return connect(new NdCluster.Listener() {}, more);
  }

  static List<CompletableFuture<Result>> ask(NdCluster cluster, List<Copy> copies) {
    List<CompletableFuture<Result>> answers = new ArrayList<>();
    for (Copy copy : copies)
      answers.add(cluster.check(copy.page(System.currentTimeMillis())));
    return answers;
  }

  /** Until all are answered. */
  static void await(List<CompletableFuture<Result>> answers) throws Exception {
    for (CompletableFuture<Result> answer : answers)
      answer.get(PATIENCE_S, TimeUnit.SECONDS);
  }

  double f1(List<Copy> copies) {
    return GeneratedPages.f1(copies, new ClusterLog(local.settings().get("bootstrap.servers")).groups());
  }

  String said(String name) throws Exception {
    return Files.readString(local.logOf(name));
  }

  @Override
  public void close() {
    local.close();
  }
}
