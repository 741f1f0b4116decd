package io.ndc.nutch;

import io.ndc.crawler.HostPatterns;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.Inlinks;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds what {@link NdParseFilter} found to the document: fields {@code nd_group}, {@code nd_verdict}, {@code
 * nd_resemblance}, {@code nd_probability} and {@code nd_related_group}. With {@code
 * nd.index.drop.duplicates=true} documents with verdict near or exact are left out of the index instead, where {@link
 * DropRule} is sure that nothing is lost, but for those of hosts in {@code nd.exclude.hosts}. A page without a verdict
 * is indexed without the fields.
 */
public final class NdIndexingFilter implements IndexingFilter {
  private static final Logger LOG = LoggerFactory.getLogger(NdIndexingFilter.class);

  private Configuration conf;
  private HostPatterns excluded = HostPatterns.NONE;
  private DropRule drop;

  /** For Nutch, which calls {@link #setConf} next. */
  public NdIndexingFilter() {}

  /** The document, or null to leave it out. */
  @Override
  public NutchDocument filter(NutchDocument doc, Parse parse, Text url, CrawlDatum datum, Inlinks inlinks) {
    Metadata metadata = parse.getData().getParseMeta();
    String group = metadata.get(NdParseFilter.GROUP);
    if (doc == null || group == null || excluded.matchesUrl(url.toString())) {
      return doc;
    }
    String verdict = metadata.get(NdParseFilter.VERDICT);
    if (drop != null && ("near".equals(verdict) || "exact".equals(verdict))
        && drop.allows(url.toString(), metadata.get(NdParseFilter.COPY_OF))) {
      return null;
    }
    doc.add("nd_group", group);
    doc.add("nd_verdict", verdict);
    doc.add("nd_resemblance", metadata.get(NdParseFilter.RESEMBLANCE));
    addIfThere(doc, "nd_probability", metadata.get(NdParseFilter.PROBABILITY));
    addIfThere(doc, "nd_related_group", metadata.get(NdParseFilter.RELATED_GROUP));
    return doc;
  }

  private static void addIfThere(NutchDocument doc, String field, String value) {
    if (value != null) {
      doc.add(field, value);
    }
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    excluded = NutchOptions.excludedHosts(conf, LOG::error);
    drop = conf.getBoolean("nd.index.drop.duplicates", false) ? new DropRule(conf) : null;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
