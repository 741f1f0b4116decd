package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;

import io.ndc.spark.archive.ArchiveListing;
import io.ndc.spark.archive.ArchiveSplit;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The stages of a job, one after the other (docs/spark.md). One thread. */
final class PartitionJob implements AutoCloseable {
  private static final String SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions";

  private final SparkSession spark;
  private final JobOptions options;
  private final Path output;
  private final StageStore stages;
  private final EarlierRun earlier;
  private final String partitionsBefore;

  /** A job in a session, whose settings it changes until it is closed. */
  PartitionJob(SparkSession spark, JobOptions options) throws IOException {
    this.spark = spark;
    this.options = options;
    this.output = new Path(options.output);
    this.stages = new StageStore(spark, output);
    this.earlier = new EarlierRun(spark, options.previous);
    this.partitionsBefore = spark.conf().get(SHUFFLE_PARTITIONS);
    if (options.partitions > 0) spark.conf().set(SHUFFLE_PARTITIONS, Integer.toString(options.partitions));
  }

  /** Leaves the session as it was. */
  @Override
  public void close() {
    spark.conf().set(SHUFFLE_PARTITIONS, partitionsBefore);
    stages.close();
  }

  /**
   * Looks at the options, before hours are spent.
   *
   * @return what its caller should know; perhaps nothing
   * @throws IllegalArgumentException if the library does not take one
   * @throws JobException if there is no earlier output, or it is this one
   */
  void check() throws IOException {
    LibraryOptions.requireTakenByTheLibrary(options.library());
    CandidatesStage.Limits.of(options);
    earlier.check();
    // Or it would be deleted before it is read.
    if (earlier.isIn(output, spark.sparkContext().hadoopConfiguration()))
      throw new JobException("--previous and --output are the same folder: " + output);
  }

  /**
   * Runs all stages that are not there yet.
   *
   * @return whether everything could be read and compared
   * @throws JobException if it cannot be done as asked
   */
  boolean run() throws IOException {
    Configuration configuration = spark.sparkContext().hadoopConfiguration();
    Counts listed = new Counts();
    ArchiveListing archives = ArchiveListing.of(options.inputs, configuration, listed);
    List<ArchiveSplit> splits = archives.splits(options.splitBytes);
    if (splits.isEmpty()) {
      String reasons = listed.faults().stream().map(fault -> "; " + fault.file() + ": " + fault.reason())
          .collect(Collectors.joining());
      throw new JobException("no archive in " + String.join(", ", options.inputs) + reasons);
    }
    OutputFolder.requireApart(output, archives.files().keySet(), configuration);
    stages.claim(RunIdentity.of(options, archives.files(), configuration), options.overwrite);
    stages.stage("captures", CapturesStage.SCHEMA, counts -> {
      counts.merge(listed);
      return new CapturesStage(options, configuration, attempts(), counts).run(spark, splits);
    });
    return partition(true);
  }

  /**
   * The same with the rows of a table in place of archives. What is not in the results is removed.
   *
   * @param rows that {@link RowsStage#requirePages} takes
   */
  boolean run(Dataset<Row> rows) throws IOException {
    stages.claim(new TreeMap<>(options.deciding()), true);
    stages.stage("captures", CapturesStage.SCHEMA,
        counts -> new RowsStage(options, counts).run(rows));
    boolean isAll = partition(false);
    stages.removeAll();
    return isAll;
  }

  /** All stages but the first. */
  private boolean partition(boolean fromArchives) throws IOException {
    StoredRows captures = stages.stored(CapturesStage.SCHEMA, stages.place("captures"));
    Dataset<Row> sites = stages.stage("sites", SitesStage.SCHEMA, counts ->
        new SitesStage(options.sitePages, SitesStage.SITE_BYTES, fromArchives, counts)
            .run(captures.rows(), earlier.models()));
    stages.stage("pages", PagesStage.SCHEMA, counts ->
        new PagesStage(counts).run(captures, sites));
    StoredRows pages = stages.stored(PagesStage.SCHEMA, stages.place("pages"));
    Dataset<Row> models = SiteModels.of(sites, earlier.models());
    EarlierPages before =
        EarlierPages.of(stages, earlier, models.join(sites.select("host"), new String[] {"host"}, "left_semi"));
    StoredRows comparable = stages.stored(PagesStage.SCHEMA, before.folders());
    Dataset<Row> placed = before.placed(comparable.rows(), pages.files());
    Dataset<Row> collisions = stages.stage("collisions", PagesStage.COLLISIONS,
        counts -> PagesStage.collisions(placed, counts));
    Dataset<Row> compared = placed.join(broadcast(collisions), new String[] {"page"}, "left_anti");
    Dataset<Row> places = stages.stage("places", PairsStage.PLACES, counts -> PairsStage.places(compared));
    Dataset<Row> links = stages.stage("candidates", CandidatesStage.SCHEMA, counts ->
        new CandidatesStage(CandidatesStage.Limits.of(options), counts).run(compared));
    Grouping grouping = new Grouping(stages, options);
    grouping.run(comparable, places, links);
    GroupsOutput results = new GroupsOutput(stages, output, earlier);
    results.writeGroups(pages.rows(), grouping.decided(), grouping.pairs());
    if (fromArchives)
      results.writeForTheNextRun(pages, before.rows(), models, grouping.decided(), grouping.pairs());
    return results.writeSummary(spark, options, grouping.rounds());
  }

  /** How often Spark tries a task. Without a number in its URL a local master never tries again. */
  private int attempts() {
    String master = spark.sparkContext().master();
    if (master.equals("local") || master.matches("local\\[[^,\\]]*\\]")) return 1;
    Matcher local = Pattern.compile("local\\[.*,\\s*(\\d+)\\s*\\]").matcher(master);
    if (local.matches()) return Integer.parseInt(local.group(1));
    return spark.sparkContext().conf().getInt("spark.task.maxFailures", 4);
  }
}
