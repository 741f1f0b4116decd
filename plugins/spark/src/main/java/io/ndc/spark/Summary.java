package io.ndc.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.NearDuplicates;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;

/** The file {@code summary.json} of a run, all of whose stages and results are there (plugins/spark/README.md). */
record Summary(StageStore stages, JobOptions options) {
  /**
   * Writes it, last of all: with it the output is that of a finished run.
   *
   * @param output of the job
   * @param totals of {@link GroupsOutput#totals}
   * @param rounds of comparisons
   * @return whether everything could be read and compared
   */
  boolean write(Path output, Row totals, int rounds) throws IOException {
    Map<String, Long> sums = stages.counters();
    ObjectNode summary = new ObjectMapper().createObjectNode();
    summary.put("version", NearDuplicates.version());
    ObjectNode counters = summary.putObject("counters");
    sums.forEach(counters::put);
    // Sums over waves, which only the waves themselves need.
    counters.remove(List.of("decided", "waits"));
    counters.put("rounds", rounds);
    counters.put("output_pages", totals.getLong(0));
    counters.put("groups", totals.getLong(1));
    counters.put("duplicates", totals.getLong(2));
    putStages(summary.putArray("faults"), summary.putArray("stages"));
    ObjectNode asked = summary.putObject("options");
    options.deciding().forEach(asked::put);
    stages.writeJson(new Path(output, "summary.json"), summary);
    return sums.getOrDefault("damaged", 0L) + sums.getOrDefault("failed_files", 0L)
        + sums.getOrDefault("failed_comparisons", 0L) == 0;
  }

  private void putStages(ArrayNode faults, ArrayNode costs) {
    for (ObjectNode report : stages.reports()) {
      for (JsonNode fault : report.get("faults")) {
        if (faults.size() < Counts.FAULTS) faults.add(fault);
      }
      costs.add(report.deepCopy().without(List.of("counters", "faults")));
    }
  }
}
