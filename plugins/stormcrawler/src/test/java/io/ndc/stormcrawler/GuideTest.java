package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The crawls use the guide's configuration: they read crawler-conf.yaml from it. */
class GuideTest {
  @Test
  void theParseFiltersAreThoseOfTheGuide() throws Exception {
    try (InputStream filters = GuideTest.class.getResourceAsStream("/parsefilters.json")) {
      assertEquals(
          new String(filters.readAllBytes(), StandardCharsets.UTF_8), Guide.block("json", "parsefilters.json"));
    }
  }

  @Test
  void theTopologyIsThatOfTheGuideBetweenEndsInMemory() throws Exception {
    String guide = Guide.block("java", "topology")
                       .replace("new IndexerBolt", "new Observed.Indexer")
                       .replace("new StatusUpdaterBolt", "new Observed.StatusUpdater")
                       .replace("new DeletionBolt", "new Observed.Deleter")
                       .replace("new NearDuplicateBolt(), 1)", "new NearDuplicateBolt(), tasks)");
    String tested = Files.readString(Path.of(System.getProperty("ndc.source.directory"),
        "plugins/stormcrawler/src/test/java/io/ndc/stormcrawler/Topologies.java"));
    assertTrue(tested.contains(guide), guide);
  }
}
