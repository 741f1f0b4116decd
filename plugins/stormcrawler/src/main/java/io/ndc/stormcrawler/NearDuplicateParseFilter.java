package io.ndc.stormcrawler;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.parse.ParseData;
import com.digitalpebble.stormcrawler.parse.ParseFilter;
import com.digitalpebble.stormcrawler.parse.ParseResult;
import com.digitalpebble.stormcrawler.util.ConfUtils;
import com.digitalpebble.stormcrawler.util.RobotsTags;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.DocumentFragment;

/**
 * Asks the engine of this worker about each page while it is parsed, and writes the answer into the page's metadata, as
 * {@link VerdictMetadata} says. Text and links stay as they are. For topologies of one worker: a store has one writer.
 * With {@code nd.cluster} for any number: it waits for the answer of the cluster.
 *
 * <p>Configured by {@code nd.…} of the topology's configuration; parameters of the same names in parsefilters.json go
 * before them. With {@code nd.index.drop.duplicates} a near-duplicate gets {@code robots.noIndex}, which every indexer
 * heeds. If the library fails, the page is parsed without a verdict.
 *
 * <p>Threads: any number may share one.
 */
public final class NearDuplicateParseFilter extends ParseFilter {
  private static final Logger LOG = LoggerFactory.getLogger(NearDuplicateParseFilter.class);

  private PageCheck check;

  /** For StormCrawler, which calls {@link #configure} next. */
  public NearDuplicateParseFilter() {}

  @Override
  public void configure(Map<String, Object> stormConf, JsonNode filterParams) {
    Map<String, Object> conf = new TreeMap<>(stormConf);
    if (filterParams != null) {
      for (Iterator<Map.Entry<String, JsonNode>> fields = filterParams.fields(); fields.hasNext();) {
        Map.Entry<String, JsonNode> field = fields.next();
        conf.put(field.getKey(), value(field.getValue()));
      }
    }
    check = new PageCheck(conf);
    if (!check.asksCluster() && ConfUtils.getInt(conf, Config.TOPOLOGY_WORKERS, 1) > 1) {
      LOG.error("{} is {}: a store has one writer, and each worker finds near-duplicates among its own pages only;"
          + " take NearDuplicateBolt, with one task", Config.TOPOLOGY_WORKERS, conf.get(Config.TOPOLOGY_WORKERS));
    }
  }

  private static Object value(JsonNode node) {
    if (!node.isArray()) {
      return node.asText();
    }
    List<String> values = new ArrayList<>();
    node.forEach(element -> values.add(element.asText()));
    return values;
  }

  @Override
  public void filter(String url, byte[] content, DocumentFragment doc, ParseResult parse) {
    ParseData page = parse.getParseMap().get(url);
    if (page == null || page.getMetadata() == null) {
      return;
    }
    Metadata metadata = page.getMetadata();
    if (check.leavesOut(url, content, metadata, late -> {}).join()) {
      metadata.setValue(RobotsTags.ROBOTS_NO_INDEX, "true");
    }
  }
}
