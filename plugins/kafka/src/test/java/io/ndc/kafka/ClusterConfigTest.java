package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a node or a client is told, and what it refuses before anything has begun. */
class ClusterConfigTest {
  private static ClusterConfig with(String key, String value) {
    Map<String, String> values = new TreeMap<>(Map.of("bootstrap.servers", "localhost:9092"));
    values.put(key, value);
    return ClusterConfig.of(values);
  }

  @Test
  void optionsGoWhereTheyAct() {
    ClusterConfig config = with("option.same_document", ".7");
    assertEquals(Map.of("same_document", ".7"), config.rules().decisions());
    assertTrue(config.pages().isEmpty());
  }

  @Test
  void whatIsWrongIsNamed() {
    Map<String, String> wrong = Map.of("partition", "3", "partitions", "three", "exactly.once", "yes",
        "option.same_document", "x", "option.same_documents", ".5");
    wrong.forEach((key, value) -> {
      String told = assertThrows(IllegalArgumentException.class, () -> with(key, value)).getMessage();
      assertTrue(told.contains(key.replace("option.", "")), told);
    });
  }
}
