package io.ndc.nutch;

import java.io.IOException;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Merges the marks into the crawldb: a marked page becomes db_duplicate, with the kept page in its metadata; a page
 * that was db_duplicate and is not marked becomes db_fetched again. A page that takes no part any more, as one that is
 * gone, loses what was said of it. In between updatedb keeps the metadata of a page that is fetched again, and {@link
 * NearDedupJob#isDuplicate} needs it.
 */
final class MarkReducer extends Reducer<Text, CrawlDatum, Text, CrawlDatum> {
  private static final Text MARK = new Text("_nd_mark_");

  static final Text DUPLICATE_OF = new Text("nd.duplicate.of");
  static final Text SIMILARITY = new Text("nd.duplicate.similarity");

  private final CrawlDatum page = new CrawlDatum();

  /**
   * What says that a page is a duplicate of {@code url}; an entry like those of the crawldb, so that both are read by
   * one job.
   */
  static CrawlDatum mark(String url, float similarity) {
    CrawlDatum mark = new CrawlDatum(CrawlDatum.STATUS_DB_DUPLICATE, 0);
    mark.getMetaData().put(MARK, NullWritable.get());
    mark.getMetaData().put(DUPLICATE_OF, new Text(url));
    mark.getMetaData().put(SIMILARITY, new FloatWritable(similarity));
    return mark;
  }

  @Override
  protected void reduce(Text url, Iterable<CrawlDatum> entries, Context context)
      throws IOException, InterruptedException {
    MapWritable mark = null;
    boolean known = false;
    for (CrawlDatum entry : entries) {
      if (entry.getMetaData().containsKey(MARK)) {
        mark = new MapWritable(entry.getMetaData());
      } else {
        page.set(entry);
        known = true;
      }
    }
    if (!known) {
      return;
    }
    if (NearDedupJob.takesPart(page)) {
      if (mark != null) {
        page.setStatus(CrawlDatum.STATUS_DB_DUPLICATE);
        page.getMetaData().put(DUPLICATE_OF, mark.get(DUPLICATE_OF));
        page.getMetaData().put(SIMILARITY, mark.get(SIMILARITY));
      } else {
        restore(context);
      }
    } else if (page.getStatus() != CrawlDatum.STATUS_DB_DUPLICATE) {
      removeMetadata();
    }
    context.write(url, page);
  }

  private void restore(Context context) {
    if (page.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE) {
      page.setStatus(CrawlDatum.STATUS_DB_FETCHED);
      context.getCounter(NearDedupJob.COUNTERS, "restored").increment(1);
    }
    removeMetadata();
  }

  private void removeMetadata() {
    page.getMetaData().remove(DUPLICATE_OF);
    page.getMetaData().remove(SIMILARITY);
  }
}
