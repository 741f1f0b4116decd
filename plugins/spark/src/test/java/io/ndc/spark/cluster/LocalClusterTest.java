package io.ndc.spark.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors in processes of their own, which have nothing but what the job ships. */
class LocalClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(240);

  @TempDir Path folder;

  private JobOutput run(SparkHome home, String master, String name, String... arguments) throws Exception {
    JobOutput output = new JobOutput(folder.resolve(name));
    new Submission(home, folder.resolve(name + "-run"), master)
        .paths(SampleCopies.sample(), output.folder())
        .arguments(arguments)
        .run(LIMIT)
        .expect(0);
    return output;
  }

  @Test
  void twoExecutorsGiveTheRowsOfOneProcess() throws Exception {
    SparkHome home = SparkHome.make(folder.resolve("home"));
    JobOutput alone = run(home, "local[2]", "alone");
    JobOutput cluster = run(home, "local-cluster[2,1,1024]", "cluster", "--partitions", "7");
    assertEquals(150, alone.rows("groups").size());
    assertEquals(
        77, alone.records("groups").stream().map(row -> row.getString("group", 0)).distinct().count());
    cluster.checkSameRows(alone);
    for (String counter : new String[] {"records", "pages", "page_bytes", "pairs", "accepted", "groups"}) {
      assertEquals(alone.counter(counter), cluster.counter(counter), counter);
    }
    assertEquals(150, cluster.counter("pages"));
    assertEquals(77, cluster.counter("groups"));
  }
}
