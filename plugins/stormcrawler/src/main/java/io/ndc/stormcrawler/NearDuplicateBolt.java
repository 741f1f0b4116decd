package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Constants;
import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between a parser and the indexer, and asks the engine of its worker about each page: the answer goes into the
 * page's metadata, as {@link VerdictMetadata} says. With one task it serves a topology of any number of workers;
 * several tasks must be in one worker, where they share the engine.
 *
 * <p>With {@code nd.cluster} tasks may be in any number of workers. A tuple then waits for its answer, and is
 * emitted without a verdict after {@code nd.cluster.timeout.ms}; the verdict that comes later goes to the
 * stream {@value #LATE}.
 *
 * <p>With {@code nd.index.drop.duplicates} a near-duplicate does not go to the indexer but, with {@code
 * nd.duplicate.status}, to the stream {@code status}, and to {@code deletion}, for an index that has it from an earlier
 * fetch. Tuples that come in on a stream {@code deletion}, as a status updater emits them, make the engine forget the
 * page.
 *
 * <p>If the library fails, the page continues without a verdict; no tuple ever fails here.
 */
public final class NearDuplicateBolt extends BaseRichBolt {
  /** What {@code error.cause} says of a near-duplicate whose status is ERROR. */
  public static final String ERROR_CAUSE = "near-duplicate";

  /** The stream of verdicts that came late: {@code url}, and {@code metadata} with the verdict alone. */
  public static final String LATE = "late";

  private static final Logger LOG = LoggerFactory.getLogger(NearDuplicateBolt.class);
  private static final String STATUS_PARAMETER = "nd.duplicate.status";

  private transient PageCheck check;
  private transient OutputCollector collector;
  private transient Status duplicateStatus;
  /** Emits what a cluster has answered: its client's own thread must not wait. */
  private transient ExecutorService answers;

  /** A bolt that is configured by the topology. */
  public NearDuplicateBolt() {}

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    this.collector = collector;
    check = new PageCheck(conf);
    duplicateStatus = duplicateStatus(ConfUtils.getString(conf, STATUS_PARAMETER, Status.FETCHED.name()));
    String id = context.getThisComponentId();
    boolean local = "local".equals(conf.get(Config.STORM_CLUSTER_MODE));
    if (check.asksCluster()) {
      answers = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "ndc-answers");
        thread.setDaemon(true);
        return thread;
      });
    } else if (!local && PageCheck.isSpread(context.getComponentTasks(id), context.getThisWorkerTasks())) {
      LOG.error(
          "the tasks of {} are in several workers: a store has one writer, and each worker finds near-duplicates among"
              + " its own pages only; give {} one task",
          id, id);
    }
  }

  private static Status duplicateStatus(String name) {
    if (name.equals(Status.ERROR.name())) {
      return Status.ERROR;
    }
    if (!name.equals(Status.FETCHED.name())) {
      LOG.error("{} is '{}'; it must be FETCHED or ERROR, and is FETCHED now", STATUS_PARAMETER, name);
    }
    return Status.FETCHED;
  }

  @Override
  public void execute(Tuple tuple) {
    if (Constants.DELETION_STREAM_NAME.equals(tuple.getSourceStreamId())) {
      forget(tuple);
      collector.ack(tuple);
    } else {
      checkPage(tuple);
    }
  }

  private void checkPage(Tuple tuple) {
    String url = tuple.getStringByField("url");
    // A copy: other bolts of this worker may hold the same object.
    Metadata metadata = new Metadata();
    metadata.putAll((Metadata) tuple.getValueByField("metadata"));
    CompletableFuture<Boolean> leavesOut = check.leavesOut(url, tuple.getBinaryByField("content"), metadata,
        late -> answers.execute(() -> collector.emit(LATE, new Values(url, late))));
    if (leavesOut.isDone()) {
      emit(tuple, metadata, leavesOut.join());
    } else {
      leavesOut.thenAcceptAsync(isLeftOut -> emit(tuple, metadata, isLeftOut), answers);
    }
  }

  private void emit(Tuple tuple, Metadata metadata, boolean isLeftOut) {
    String url = tuple.getStringByField("url");
    if (!isLeftOut) {
      collector.emit(
          tuple, new Values(url, tuple.getBinaryByField("content"), metadata, tuple.getValueByField("text")));
      collector.ack(tuple);
      return;
    }
    if (duplicateStatus == Status.ERROR) {
      metadata.setValue(Constants.STATUS_ERROR_CAUSE, ERROR_CAUSE);
    }
    collector.emit(Constants.DELETION_STREAM_NAME, tuple, new Values(url, metadata));
    collector.emit(Constants.StatusStreamName, tuple, new Values(url, metadata, duplicateStatus));
    collector.ack(tuple);
  }

  // A near-duplicate that this bolt gave status ERROR is not gone.
  private void forget(Tuple tuple) {
    Metadata metadata = (Metadata) tuple.getValueByField("metadata");
    if (!ERROR_CAUSE.equals(metadata.getFirstValue(Constants.STATUS_ERROR_CAUSE))) {
      check.forget(tuple.getStringByField("url"));
    }
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("url", "content", "metadata", "text"));
    declarer.declareStream(Constants.StatusStreamName, new Fields("url", "metadata", "status"));
    declarer.declareStream(Constants.DELETION_STREAM_NAME, new Fields("url", "metadata"));
    declarer.declareStream(LATE, new Fields("url", "metadata"));
  }

  @Override
  public void cleanup() {
    if (answers != null) {
      answers.shutdownNow();
    }
  }
}
