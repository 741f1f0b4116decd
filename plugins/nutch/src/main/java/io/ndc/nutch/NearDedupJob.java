package io.ndc.nutch;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.DeduplicationJob;
import org.apache.nutch.util.LockUtil;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks near-duplicates in the crawldb by the sketches of {@link NdSignature}, as the stock job does pages with equal
 * signatures.
 *
 * <pre>
 * bin/nutch io.ndc.nutch.NearDedupJob CRAWLDB [-group none|host|domain]
 *     [-compareOrder score,fetchTime,httpsOverHttp,urlLength] [-threshold X] [-sameSiteThreshold X] [-bandPages N]
 *     [-redecide] [-force]
 * </pre>
 *
 * <p>The defaults of the options from -threshold on are the properties {@code near.dedup.threshold}, {@code
 * near.dedup.threshold.same.site}, {@code near.dedup.band.pages} and {@code near.dedup.redecide}. Three jobs:
 * {@link BandMapper} and {@link PairReducer} find pairs of similar pages, {@link KeepReducer} decides in the order of
 * {@link KeepOrder} who is kept, {@link MarkReducer} merges the marks into the crawldb. The result depends on the
 * entries of the crawldb alone, not on how they are distributed. Signatures that are no sketch of this version
 * are compared for equality.
 *
 * <p>Pages with status db_fetched, db_notmodified and db_duplicate take part. A page that is a duplicate already stays
 * behind those that are kept, whatever its score, since it need not be in the segment that is indexed next; -redecide
 * ranks all alike, after which all segments must be indexed. If a job fails, the crawldb is as it was.
 *
 * <p>With {@code nd.index.drop.duplicates=true} the engine removes duplicates, too, by other rules; the job refuses
 * then unless -force is given. In a crawldb that it has marked, {@link NdIndexingFilter} removes nothing any more.
 */
public final class NearDedupJob extends DeduplicationJob {
  static final String GROUP_MODE = DEDUPLICATION_GROUP_MODE;
  static final String COMPARE_ORDER = DEDUPLICATION_COMPARE_ORDER;
  static final String THRESHOLD = "near.dedup.threshold";
  static final String SAME_SITE_THRESHOLD = "near.dedup.threshold.same.site";
  static final String BAND_PAGES = "near.dedup.band.pages";
  static final String REDECIDE = "near.dedup.redecide";
  static final double DEFAULT_THRESHOLD = .25;
  static final double DEFAULT_SAME_SITE_THRESHOLD = .95;
  static final int DEFAULT_BAND_PAGES = 1000;
  /** Group of this job's Hadoop counters. */
  static final String COUNTERS = "NearDedup";

  private static final String USAGE = "Usage: NearDedupJob <crawldb> [-group none|host|domain]"
      + " [-compareOrder score,fetchTime,httpsOverHttp,urlLength] [-threshold X] [-sameSiteThreshold X] [-bandPages N]"
      + " [-redecide] [-force]";
  private static final String FORCE = "near.dedup.force";
  // A file of the crawldb's folder, which updatedb leaves alone.
  private static final String MARKED = ".near-dedup";
  private static final Logger LOG = LoggerFactory.getLogger(NearDedupJob.class);

  private final Map<String, Long> counters = new TreeMap<>();

  /** Without a configuration; ToolRunner sets it. */
  public NearDedupJob() {}

  /** Runs the job with the configuration of Nutch. */
  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(NutchConfiguration.create(), new NearDedupJob(), arguments));
  }

  /** Whether an entry of the crawldb can be, or have, a duplicate. */
  static boolean takesPart(CrawlDatum datum) {
    return datum.getSignature() != null && datum.getSignature().length > 0
        && (datum.getStatus() == CrawlDatum.STATUS_DB_FETCHED || datum.getStatus() == CrawlDatum.STATUS_DB_NOTMODIFIED
            || datum.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE);
  }

  /**
   * Whether an entry is a duplicate by the last decision: also one that was fetched again since, and may have been
   * found unchanged, so that no segment to come has it.
   */
  static boolean isDuplicate(CrawlDatum datum) {
    return datum.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE
        || datum.getMetaData().containsKey(MarkReducer.DUPLICATE_OF);
  }

  /** Whether this job has ever marked duplicates in a crawldb. */
  static boolean hasMarked(Configuration conf, Path crawlDb) throws IOException {
    return crawlDb.getFileSystem(conf).exists(new Path(crawlDb, MARKED));
  }

  /** The Hadoop counters of the last run, by name; those that are missing are 0. */
  public Map<String, Long> counters() {
    return Map.copyOf(counters);
  }

  /**
   * Runs the jobs.
   *
   * @return 0, 1 for wrong arguments, -1 if a job failed
   * @throws IOException if the crawldb is locked or not there
   */
  @Override
  public int run(String[] arguments) throws IOException {
    Configuration conf = new Configuration(getConf());
    try {
      configure(conf, arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("NearDedupJob: " + e.getMessage());
      System.err.println(USAGE);
      return 1;
    }
    Path crawlDb = new Path(arguments[0]);
    FileSystem fs = crawlDb.getFileSystem(conf);
    if (!fs.exists(new Path(crawlDb, CrawlDb.CURRENT_NAME))) {
      throw new IOException(crawlDb + " is no crawldb: it has no folder " + CrawlDb.CURRENT_NAME);
    }
    counters.clear();
    Path temporary = new Path(crawlDb, "near-dedup-" + UUID.randomUUID());
    // From here on, not for the merge alone: a page that changed in between would get a stale mark.
    Path lock = CrawlDb.lock(conf, crawlDb, false);
    try {
      runJobs(conf, crawlDb, temporary, fs);
    } catch (JobFailedException | ClassNotFoundException | InterruptedException e) {
      LOG.error("NearDedupJob: the crawldb is as it was: {}", e.getMessage(), e);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return -1;
    } finally {
      fs.delete(temporary, true);
      LockUtil.removeLockFile(fs, lock);
    }
    LOG.info("NearDedupJob: {}", counters);
    return 0;
  }

  private static final class JobFailedException extends Exception {
    JobFailedException(String message) {
      super(message);
    }
  }

  private static void configure(Configuration conf, String[] arguments) {
    if (arguments.length < 1) {
      throw new IllegalArgumentException("it needs a crawldb");
    }
    conf.set(GROUP_MODE, "none");
    conf.set(COMPARE_ORDER, "score,fetchTime,httpsOverHttp,urlLength");
    for (int i = 1; i < arguments.length; i++) {
      String key = switch (arguments[i]) {
        case "-group" -> GROUP_MODE;
        case "-compareOrder" -> COMPARE_ORDER;
        case "-threshold" -> THRESHOLD;
        case "-sameSiteThreshold" -> SAME_SITE_THRESHOLD;
        case "-bandPages" -> BAND_PAGES;
        case "-redecide" -> REDECIDE;
        case "-force" -> FORCE;
        default -> throw new IllegalArgumentException("there is no option " + arguments[i]);
      };
      boolean alone = key.equals(REDECIDE) || key.equals(FORCE);
      if (!alone && i + 1 == arguments.length) {
        throw new IllegalArgumentException("option " + arguments[i] + " needs a value");
      }
      conf.set(key, alone ? "true" : arguments[++i]);
    }
    check(conf);
  }

  private static void check(Configuration conf) {
    if (conf.getBoolean("nd.index.drop.duplicates", false) && !conf.getBoolean(FORCE, false)) {
      throw new IllegalArgumentException("nd.index.drop.duplicates is true, and what the engine and this job remove"
          + " together can be all pages of a group; set it to false, or give -force: then this job alone removes");
    }
    NutchOptions.excludedHosts(conf, error -> {
      throw new IllegalArgumentException(error);
    });
    if (!Set.of("none", "host", "domain").contains(conf.get(GROUP_MODE))) {
      throw new IllegalArgumentException("group must be none, host or domain, but is '" + conf.get(GROUP_MODE) + "'");
    }
    new KeepOrder(conf.get(COMPARE_ORDER));
    check(THRESHOLD, conf.get(THRESHOLD), value -> Double.parseDouble(value) > 0 && Double.parseDouble(value) <= 1,
        "a number above 0 and at most 1");
    check(SAME_SITE_THRESHOLD, conf.get(SAME_SITE_THRESHOLD), value -> Double.parseDouble(value) > 0,
        "a number above 0; above 1 no two pages of a site are duplicates");
    check(BAND_PAGES, conf.get(BAND_PAGES), value -> Integer.parseInt(value) > 0, "a whole number from 1");
  }

  private static void check(String key, String value, Predicate<String> allowed, String what) {
    boolean right;
    try {
      right = value == null || allowed.test(value);
    } catch (NumberFormatException e) {
      right = false;
    }
    if (!right) {
      throw new IllegalArgumentException(key + " must be " + what + ", but is '" + value + "'");
    }
  }

  private void runJobs(Configuration conf, Path crawlDb, Path temporary, FileSystem fs)
      throws IOException, InterruptedException, ClassNotFoundException, JobFailedException {
    Path pairs = new Path(temporary, "pairs");
    Path marks = new Path(temporary, "marks");
    finish(pairsJob(conf, crawlDb, pairs));
    finish(keepJob(conf, pairs, marks));
    Job merge = CrawlDb.createJob(conf, crawlDb);
    merge.setJobName("Near-duplicates: marks in " + crawlDb);
    merge.setJarByClass(DeduplicationJob.class);
    FileInputFormat.addInputPath(merge, marks);
    merge.setReducerClass(MarkReducer.class);
    try {
      finish(merge);
      // Before the marks are there: once they are, the engine must remove nothing.
      fs.create(new Path(crawlDb, MARKED), true).close();
      CrawlDb.install(merge, crawlDb);
    } finally {
      fs.delete(FileOutputFormat.getOutputPath(merge), true);
    }
  }

  private static Job pairsJob(Configuration conf, Path crawlDb, Path pairs) throws IOException {
    Job job = job(conf, "pairs in " + crawlDb, new Path(crawlDb, CrawlDb.CURRENT_NAME), pairs);
    job.setMapperClass(BandMapper.class);
    job.setMapOutputKeyClass(BandKey.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setPartitionerClass(BandKey.ByBand.class);
    job.setSortComparatorClass(BandKey.Order.class);
    job.setGroupingComparatorClass(BandKey.Grouping.class);
    job.setReducerClass(PairReducer.class);
    job.setOutputKeyClass(BytesWritable.class);
    job.setOutputValueClass(Pair.class);
    return job;
  }

  private static Job keepJob(Configuration conf, Path pairs, Path marks) throws IOException {
    Job job = job(conf, "who is kept", pairs, marks);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(Pair.class);
    job.setReducerClass(KeepReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(CrawlDatum.class);
    return job;
  }

  private static Job job(Configuration conf, String name, Path in, Path out) throws IOException {
    Job job = Job.getInstance(conf, "Near-duplicates: " + name);
    // Nutch's class, not ours: in Nutch's job jar, ours is in a jar within it, which is not what has to be sent.
    job.setJarByClass(DeduplicationJob.class);
    FileInputFormat.addInputPath(job, in);
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileOutputFormat.setOutputPath(job, out);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    return job;
  }

  private void finish(Job job) throws IOException, InterruptedException, ClassNotFoundException, JobFailedException {
    currentJob = job;
    if (!job.waitForCompletion(true)) {
      throw new JobFailedException(NutchJob.getJobFailureLogMessage(job.getJobName(), job));
    }
    for (Counter counter : job.getCounters().getGroup(COUNTERS)) {
      counters.merge(counter.getName(), counter.getValue(), Long::sum);
    }
  }
}
