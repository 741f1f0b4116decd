package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/guide-cluster.md, with the address of a cluster that runs, prints what the guide says. */
class GuideTest {
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```.*?```text\n(.*?)```");

  @TempDir Path folder;

  @Test
  void theProgramPrintsWhatTheGuideSays() throws Exception {
    Path guide = Path.of(System.getProperty("ndc.source.directory"), "docs/guide-cluster.md");
    Matcher program = PROGRAM.matcher(Files.readString(guide));
    assertTrue(program.find());
    try (OneBroker one = new OneBroker(folder)) {
      one.local.instance("instance", Map.of());
      one.local.awaitTopics();
      Path source = Files.writeString(folder.resolve("Ask.java"),
          program.group(1)
              .replace("localhost:9092", one.local.settings().get("bootstrap.servers"))
              .replace("10000", Long.toString(1_000 * OneBroker.PATIENCE_S)));
      Process ask = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-cp",
          System.getProperty("java.class.path"), "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", source.toString())
          .redirectError(ProcessBuilder.Redirect.INHERIT).start();
      assertEquals(program.group(2), new String(ask.getInputStream().readAllBytes()));
      assertEquals(0, ask.waitFor());
    }
  }
}
