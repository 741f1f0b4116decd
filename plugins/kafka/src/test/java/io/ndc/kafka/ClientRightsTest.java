package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Page;
import io.ndc.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with passwords and rights: what a client hears that lacks some, and which are enough. */
class ClientRightsTest {
  @TempDir
  Path folder;

  private Process start(String... command) throws Exception {
    List<String> whole = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m", "-cp", System.getProperty("java.class.path")));
    whole.addAll(List.of(command));
    return new ProcessBuilder(whole).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("broker.log").toFile())).start();
  }

  /** Instances come by one port, without a name; crawlers by another, with name and password. */
  private Path settings(int open, int closed) throws Exception {
    int controller = LocalProcesses.freePorts(1)[0];
    return Files.writeString(folder.resolve("broker.properties"), String.join("\n", "process.roles=broker,controller",
        "node.id=1", "controller.quorum.voters=1@localhost:" + controller,
        "listeners=PLAINTEXT://localhost:" + open + ",SASL_PLAINTEXT://localhost:" + closed
            + ",CONTROLLER://localhost:" + controller,
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names=CONTROLLER", "inter.broker.listener.name=PLAINTEXT",
        "log.dirs=" + folder.resolve("log"), "sasl.enabled.mechanisms=PLAIN",
        "listener.name.sasl_plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule"
            + " required user_crawler=\"secret\";",
        "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users=User:ANONYMOUS", "offsets.topic.replication.factor=1", "offsets.topic.num.partitions=1",
        "group.initial.rebalance.delay.ms=0", "auto.create.topics.enable=false",
        "log.cleaner.dedupe.buffer.size=4194304"));
  }

  private static void allow(Admin admin, AclOperation operation, String... topics) throws Exception {
    for (String topic : topics)
      admin.createAcls(List.of(new AclBinding(new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
          new AccessControlEntry("User:crawler", "*", operation, AclPermissionType.ALLOW)))).all().get();
  }

  private static Page page() {
    return Page.of("http://a.example/", "<p>The ferry leaves at noon.".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aClientHearsWhichRightItLacks() throws Exception {
    int open = LocalProcesses.freePorts(1)[0];
    int closed = LocalProcesses.freePorts(1)[0];
    String file = settings(open, closed).toString();
    assertEquals(0, start("kafka.tools.StorageTool", "format", "--cluster-id", "ndcLocalClusterForTryg", "--config",
        file).waitFor());
    Process broker = start("kafka.Kafka", file);
    Map<String, String> node = Map.of("bootstrap.servers", "localhost:" + open, "partitions", "2", "replicas", "1",
        "standbys", "0", "state.folder", folder.resolve("state").toString());
    Map<String, String> crawler = new HashMap<>(Map.of("bootstrap.servers", "localhost:" + closed, "timeout.ms",
        "240000", "kafka.security.protocol", "SASL_PLAINTEXT", "kafka.sasl.mechanism", "PLAIN",
        "kafka.default.api.timeout.ms", "20000"));
    crawler.put("kafka.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"crawler\" password=\"secret\";");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", "localhost:" + open));
        NdClusterNode instance = NdClusterNode.start(node)) {
      for (int tries = 0; !instance.isRunning() && tries < 1200; tries++)
        Thread.sleep(100);
      String none = assertThrows(KafkaException.class, () -> connect(crawler)).getMessage();
      assertTrue(none.contains("localhost:" + closed) && none.contains("[ndc-answers]"), none);
      allow(admin, AclOperation.READ, "ndc-answers", "ndc-events");
      await(crawler);
      try (NdCluster cluster = connect(crawler)) {
        Throwable refused =
            assertThrows(ExecutionException.class, () -> cluster.check(page()).get(240, TimeUnit.SECONDS)).getCause();
        assertInstanceOf(TopicAuthorizationException.class, refused);
        assertTrue(refused.getMessage().contains("ndc-pages"), refused.getMessage());
      }
      allow(admin, AclOperation.WRITE, "ndc-pages");
      try (NdCluster cluster = connect(crawler)) {
        assertEquals(Verdict.NEW, cluster.check(page()).get(240, TimeUnit.SECONDS).verdict());
        assertThrows(TopicAuthorizationException.class, cluster::settle, "who may ask may not control");
      }
      crawler.put("kafka.sasl.jaas.config", crawler.get("kafka.sasl.jaas.config").replace("secret", "guessed"));
      String guessed = assertThrows(KafkaException.class, () -> connect(crawler)).getMessage();
      assertTrue(guessed.contains("Authentication failed"), guessed);
    } finally {
      broker.destroyForcibly();
    }
  }

  private static NdCluster connect(Map<String, String> settings) {
    return NdCluster.connect(settings, new NdCluster.Listener() {});
  }

  /** A broker hears of rights a moment after they were given. */
  private static void await(Map<String, String> settings) throws InterruptedException {
    for (int tries = 0;; tries++) {
      try {
        connect(settings).close();
        return;
      } catch (KafkaException notYet) {
        if (tries == 100) throw notYet;
        Thread.sleep(100);
      }
    }
  }
}
