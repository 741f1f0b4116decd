package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.bolt.FetcherBolt;
import com.digitalpebble.stormcrawler.bolt.JSoupParserBolt;
import org.apache.storm.topology.TopologyBuilder;

/** The topologies of docs/guide-stormcrawler.md, between a spout and ends in memory. */
final class Topologies {
  private Topologies() {}

  static TopologyBuilder withFilter(int tasks) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("spout", new Observed.Spout());
    builder.setBolt("fetch", new FetcherBolt()).shuffleGrouping("spout");
    builder.setBolt("parse", new JSoupParserBolt(), tasks).localOrShuffleGrouping("fetch");
    builder.setBolt("index", new Observed.Indexer()).localOrShuffleGrouping("parse");
    builder.setBolt("status", new Observed.StatusUpdater())
        .shuffleGrouping("fetch", "status")
        .shuffleGrouping("parse", "status")
        .shuffleGrouping("index", "status");
    builder.setBolt("delete", new Observed.Deleter()).shuffleGrouping("status", "deletion");
    return builder;
  }

  static TopologyBuilder withBolt(int tasks) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("spout", new Observed.Spout());
    builder.setBolt("fetch", new FetcherBolt()).shuffleGrouping("spout");
    builder.setBolt("parse", new JSoupParserBolt()).localOrShuffleGrouping("fetch");
    builder.setBolt("duplicates", new NearDuplicateBolt(), tasks)
        .shuffleGrouping("parse")
        .shuffleGrouping("status", "deletion");
    builder.setBolt("index", new Observed.Indexer()).shuffleGrouping("duplicates");
    builder.setBolt("status", new Observed.StatusUpdater())
        .shuffleGrouping("fetch", "status")
        .shuffleGrouping("parse", "status")
        .shuffleGrouping("duplicates", "status")
        .shuffleGrouping("index", "status");
    builder.setBolt("delete", new Observed.Deleter())
        .shuffleGrouping("status", "deletion")
        .shuffleGrouping("duplicates", "deletion");
    return builder;
  }
}
