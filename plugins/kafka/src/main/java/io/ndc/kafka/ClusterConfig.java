package io.ndc.kafka;

import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.Options;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a node or a client is told, by keys and values: docs/guide-cluster.md has them. Those that begin with {@code
 * kafka.} go to Kafka's clients without it, those with {@code option.} to the library.
 *
 * @param servers of Kafka
 * @param prefix of the topics' names, and the name of the application
 * @param partitions of each topic, for ever
 * @param replicas of each partition
 * @param standbys of each state
 * @param threads of a node
 * @param exactlyOnce whether each message takes effect once
 * @param stateFolder of a node
 * @param timeoutMs after which a client's question fails, and the verdict arrives as an event
 * @param rules of the steps
 * @param pages options of the library with which pages are read
 * @param kafka what else Kafka's clients are told
 */
record ClusterConfig(String servers, String prefix, int partitions, int replicas, int standbys, int threads,
    boolean exactlyOnce, String stateFolder, long timeoutMs, Rules rules, Map<String, String> pages,
    Map<String, Object> kafka) {
  private static final String KAFKA = "kafka.";
  private static final String OPTION = "option.";
  private static final Set<String> KEYS = Set.of("bootstrap.servers", "prefix", "partitions", "replicas", "standbys",
      "threads", "exactly.once", "state.folder", "timeout.ms", "open.pages", "retry.ms", "deadline.ms");

  /**
   * Reads a configuration.
   *
   * @throws IllegalArgumentException naming a key that is missing or unknown, or a value that is none, also of an
   *     option of the library: a step that met it later could only answer that every page is new
   */
  static ClusterConfig of(Map<String, String> values) {
    Map<String, String> options = new TreeMap<>();
    Map<String, Object> kafka = new TreeMap<>();
    values.forEach((key, value) -> {
      if (key.startsWith(KAFKA)) {
        kafka.put(key.substring(KAFKA.length()), value);
      } else if (key.startsWith(OPTION)) {
        options.put(key.substring(OPTION.length()), value);
      } else if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("the configuration has the unknown key " + key);
      }
    });
    try {
      NearDuplicates.inMemory(options).close();
    } catch (NearDuplicatesException refused) {
      throw new IllegalArgumentException("an option: " + refused.getMessage(), refused);
    }
    String servers = values.get("bootstrap.servers");
    if (servers == null) throw new IllegalArgumentException("bootstrap.servers is missing: host:port of Kafka");
    int partitions = number(values, "partitions", 16);
    Rules normal = Rules.defaults(partitions);
    Rules rules = new Rules(partitions, number(options, "x_hot_groups_limit", normal.hotGroups()),
        number(options, "x_hot_site_groups_limit", normal.hotHostGroups()),
        number(options, "x_hot_sites", normal.hotHosts()), number(options, "x_candidates_limit", normal.candidates()),
        number(options, "x_verifications_limit", normal.comparisons()), normal.exactWidth(),
        Math.max(1, number(values, "open.pages", normal.openPages())),
        number(values, "retry.ms", (int) normal.retryMs()), number(values, "deadline.ms", (int) normal.deadlineMs()),
        Options.actingOn(options, "comparisons", "decisions"));
    return new ClusterConfig(servers, values.getOrDefault("prefix", "ndc"), partitions, number(values, "replicas", 3),
        number(values, "standbys", 1), number(values, "threads", 1),
        truth(values, "exactly.once"),
        values.getOrDefault("state.folder", "ndc-state"), number(values, "timeout.ms", 2_000), rules,
        Options.actingOn(options, "pages", "keys", "descriptions", "features"), kafka);
  }

  private static int number(Map<String, String> values, String key, int normal) {
    String value = values.get(key);
    try {
      int number = value == null ? normal : Integer.parseInt(value);
      if (number < 0) throw new NumberFormatException("below 0");
      return number;
    } catch (NumberFormatException wrong) {
      throw new IllegalArgumentException(key + " is '" + value + "': it must be a number", wrong);
    }
  }

  private static boolean truth(Map<String, String> values, String key) {
    String value = values.getOrDefault(key, "false");
    if (!value.equals("true") && !value.equals("false"))
      throw new IllegalArgumentException(key + " is '" + value + "': it must be true or false");
    return value.equals("true");
  }

  String topic(Outbox.Topic topic) {
    return topic(prefix, topic);
  }

  /** Here, so that clients need nothing of Kafka Streams. */
  static String topic(String prefix, Outbox.Topic topic) {
    return prefix + "-" + topic.name().toLowerCase(Locale.ROOT);
  }
}
