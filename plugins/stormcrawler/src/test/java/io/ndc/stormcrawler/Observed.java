package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.indexing.AbstractIndexerBolt;
import com.digitalpebble.stormcrawler.persistence.AbstractStatusUpdaterBolt;
import com.digitalpebble.stormcrawler.persistence.Status;
import com.digitalpebble.stormcrawler.spout.MemorySpout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** What a topology of this process did: the ends of its streams are here, in memory. One topology at a time. */
final class Observed {
  /**
   * A row of the status store; {@code stores} counts the times that it was written with a status other than
   * DISCOVERED.
   */
  record Row(Status status, Metadata metadata, int stores) {}

  /** Each URL's row. */
  static final Map<String, Row> STATUS = new ConcurrentHashMap<>();
  /** The URLs that came to the indexer, in their order; with their metadata. */
  static final List<Map.Entry<String, Metadata>> ARRIVED = Collections.synchronizedList(new ArrayList<>());
  /** The URLs that are in the index. */
  static final Set<String> INDEX = ConcurrentHashMap.newKeySet();
  /** The tasks that tuples came to the indexer from. */
  static final Set<Integer> SOURCES = ConcurrentHashMap.newKeySet();
  /** How many spouts are open. */
  static final AtomicInteger SPOUTS = new AtomicInteger();

  private Observed() {}

  static void clear() {
    STATUS.clear();
    ARRIVED.clear();
    INDEX.clear();
    SOURCES.clear();
  }

  static String value(String url, String key) {
    return STATUS.get(url).metadata().getFirstValue(key);
  }

  /**
   * The stock spout in memory; its queue is the process's, so that one that is being closed takes what is for the
   * next.
   */
  public static final class Spout extends MemorySpout {
    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
      super.open(conf, context, collector);
      SPOUTS.incrementAndGet();
    }

    @Override
    public void close() {
      SPOUTS.decrementAndGet();
    }
  }

  /** Keeps what a status store would, and gives what was discovered to the spout. */
  public static final class StatusUpdater extends AbstractStatusUpdaterBolt {
    @Override
    protected void store(String url, Status status, Metadata metadata, Optional<Date> nextFetch, Tuple tuple) {
      if (status == Status.DISCOVERED) {
        if (STATUS.putIfAbsent(url, new Row(status, metadata, 0)) == null) {
          MemorySpout.add(url, metadata, new Date());
        }
      } else {
        STATUS.compute(url, (key, old) -> new Row(status, metadata, old == null ? 1 : old.stores() + 1));
      }
      ack(tuple, url);
    }
  }

  /** Keeps what an index would. */
  public static final class Indexer extends AbstractIndexerBolt {
    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
      super.prepare(conf, context, collector);
      this.collector = collector;
    }

    @Override
    public void execute(Tuple tuple) {
      String url = tuple.getStringByField("url");
      Metadata metadata = (Metadata) tuple.getValueByField("metadata");
      Metadata copy = new Metadata();
      copy.putAll(metadata);
      ARRIVED.add(Map.entry(url, copy));
      SOURCES.add(tuple.getSourceTask());
      if (filterDocument(metadata)) {
        INDEX.add(url);
      }
      collector.emit("status", tuple, new Values(url, metadata, Status.FETCHED));
      collector.ack(tuple);
    }
  }

  /** Removes from the index, as the bolts of search engines do. */
  public static final class Deleter extends BaseRichBolt {
    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
      this.collector = collector;
    }

    @Override
    public void execute(Tuple tuple) {
      INDEX.remove(tuple.getStringByField("url"));
      collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
  }
}
