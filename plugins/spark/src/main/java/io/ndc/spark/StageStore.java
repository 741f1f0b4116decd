package io.ndc.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.spark.archive.UnfinishedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Keeps what stages wrote, so that a job which is started again continues behind its last whole stage. A stage is a
 * folder of Parquet and, written last, a file NAME.json with its counters, faults and costs: without that file it is
 * made again. One thread, and one driver: nothing keeps two from writing to one folder.
 */
final class StageStore implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SparkSession spark;
  private final Path output;
  private final Path folder;
  private final FileSystem files;
  private final StageMetrics metrics = new StageMetrics();
  private final List<ObjectNode> reports = new ArrayList<>();

  /**
   * A store in a folder.
   *
   * @param output of the job; the stages are in its folder {@code stages}
   * @throws JobException if its file system cannot be reached
   */
  StageStore(SparkSession spark, Path output) {
    this.spark = spark;
    this.output = output;
    this.folder = new Path(output, "stages");
    this.files = OutputFolder.files(output, spark.sparkContext().hadoopConfiguration());
    spark.sparkContext().addSparkListener(metrics);
  }

  /** Leaves the session as it was; nothing is written. */
  @Override
  public void close() {
    spark.sparkContext().removeSparkListener(metrics);
    spark.sparkContext().setJobDescription(null);
  }

  /** A stage: the rows that it is made of, with counters that are filled while they are written. */
  @FunctionalInterface
  interface Work {
    Dataset<Row> rows(Counts counts) throws IOException;
  }

  /**
   * The rows of a stage: what an earlier run wrote, or made now.
   *
   * @param name of its folder
   * @param schema of its rows
   */
  Dataset<Row> stage(String name, StructType schema, Work work) throws IOException {
    Path place = place(name);
    ObjectNode report = readReport(name);
    if (report == null) {
      files.delete(place, true);
      report = run(name, place, work);
      writeJson(new Path(folder, name + ".json"), report);
    }
    reports.add(report);
    return read(List.of(name), schema);
  }

  /**
   * The rows of several stages of one schema, as one relation: a union of many is slow to plan.
   *
   * @param names of stages that are there; perhaps none
   */
  Dataset<Row> read(List<String> names, StructType schema) {
    if (names.isEmpty()) return spark.createDataFrame(List.of(), schema);
    return spark.read().schema(schema)
        .parquet(names.stream().map(name -> place(name).toString()).toArray(String[]::new));
  }

  /** The rows of folders of one schema, by their positions. */
  StoredRows stored(StructType schema, Path... folders) throws IOException {
    return new StoredRows(spark, List.of(folders), schema);
  }

  /** Where a stage is. */
  Path place(String name) {
    return new Path(folder, name);
  }

  /** A counter of a stage of this run or of an earlier one; 0: it counted nothing. */
  long counter(String stage, String name) {
    for (ObjectNode report : reports) {
      if (report.get("name").asText().equals(stage)) return report.get("counters").path(name).asLong();
    }
    return 0;
  }

  /** As a stage, but the rows are a result of the job, stored next to the stages and written again each time. */
  void result(String name, Work work) throws IOException {
    Path place = new Path(output, name);
    files.delete(place, true);
    reports.add(run(name, place, work));
  }

  private ObjectNode run(String name, Path place, Work work) throws IOException {
    Counts counts = new Counts();
    spark.sparkContext().register(counts, name);
    spark.sparkContext().setJobDescription(name);
    costs(JSON.createObjectNode());
    long begin = System.nanoTime();
    work.rows(counts).write().mode(SaveMode.Overwrite).parquet(place.toString());
    ObjectNode report = JSON.createObjectNode().put("name", name);
    report.put("seconds", (System.nanoTime() - begin) / 1e9);
    costs(report);
    ObjectNode counters = report.putObject("counters");
    counts.value().forEach(counters::put);
    ArrayNode faults = report.putArray("faults");
    for (Counts.Fault fault : counts.faults())
      faults.addObject().put("file", fault.file()).put("offset", fault.offset()).put("reason", fault.reason());
    return report;
  }

  /** The costs since the last call. */
  private void costs(ObjectNode report) {
    try {
      // The costs of tasks arrive on a queue.
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException late) {
      // The figures of this stage are then counted for the next one.
    }
    metrics.take(report);
  }

  /** The figures of all stages so far, in their order, including those of earlier runs. */
  List<ObjectNode> reports() {
    return List.copyOf(reports);
  }

  /** Sums over all stages, by name. */
  Map<String, Long> counters() {
    Map<String, Long> sums = new TreeMap<>();
    for (ObjectNode report : reports) {
      report.get("counters").properties()
          .forEach(counter -> sums.merge(counter.getKey(), counter.getValue().asLong(), Long::sum));
    }
    return sums;
  }

  /**
   * Takes the output's folder for a run, which has no summary from here on. What another run with other inputs or
   * options left there is refused, or removed; so is what has a result's name and is of no run.
   *
   * @param run what decides the result, by name
   * @param overwrite removes these, and a finished result of the same run: it is wanted again. What that has left
   *     unfinished stays, so that it may be killed and started again with the same arguments
   * @throws JobException naming what differs
   */
  void claim(Map<String, String> run, boolean overwrite) throws IOException {
    Path place = new Path(folder, "run.json");
    if (files.exists(place) && isGoneOnWith(run, place, overwrite)) {
      // The results are written again: until that is done nobody takes them for finished.
      files.delete(new Path(output, "summary.json"), false);
      return;
    }
    // The claim goes first: without it nobody continues with stages of which a part is gone. Then the summary: without
    // it nobody takes what is left for a finished result.
    for (String name : List.of("stages/run.json", "summary.json", "groups", "pairs", EarlierRun.MODELS,
        EarlierRun.MERGED, EarlierRun.REPRESENTATIVES, "stages")) {
      Path left = new Path(output, name);
      if (!overwrite && files.exists(left))
        throw new JobException(left + " exists and is of no run of this job; --overwrite removes it");
      files.delete(left, true);
    }
    ObjectNode node = JSON.createObjectNode();
    run.forEach(node::put);
    writeJson(place, node);
  }

  private boolean isGoneOnWith(Map<String, String> run, Path place, boolean overwrite) throws IOException {
    try {
      requireSame(run, place);
    } catch (JobException another) {
      if (overwrite) return false;
      throw another;
    }
    return !overwrite || !files.exists(new Path(output, "summary.json"));
  }

  private void requireSame(Map<String, String> run, Path place) throws IOException {
    JsonNode earlier = readJson(place);
    Map<String, String> all = new TreeMap<>(run);
    earlier.properties().forEach(entry -> all.putIfAbsent(entry.getKey(), ""));
    for (String name : all.keySet()) {
      String now = run.getOrDefault(name, "(none)");
      String then = earlier.path(name).asText("(none)");
      if (!now.equals(then)) {
        throw new JobException(folder + " is of a run with " + name + " " + then + ", not " + now
            + "; --overwrite begins anew");
      }
    }
  }

  /** Removes all stages, for a run that nobody will continue with. */
  void removeAll() throws IOException {
    files.delete(folder, true);
  }

  private ObjectNode readReport(String name) throws IOException {
    Path place = new Path(folder, name + ".json");
    return files.exists(place) ? (ObjectNode) readJson(place) : null;
  }

  private JsonNode readJson(Path place) throws IOException {
    try (FSDataInputStream in = files.open(place)) {
      return JSON.readTree(in.readAllBytes());
    } catch (JsonProcessingException damaged) {
      throw new JobException(place + " is damaged; without " + folder + " the job begins anew", damaged);
    }
  }

  /** Writes a file, under another name first: one of this name is whole. */
  void writeJson(Path place, JsonNode node) throws IOException {
    // Only the summary may be there, which each start rewrites; so a kill that leaves neither file costs no more than
    // one before: a stage without this file is made again.
    String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
    UnfinishedFile.write(files, place, text.getBytes(StandardCharsets.UTF_8));
  }
}
