package io.ndc.nutch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Decides who is kept: goes through the pages that have similar better ones, the best ranked first, and makes a page the duplicate of the most
 * similar of them that is kept itself. If none of them is kept, the page is. Pages of one site with equal signatures stay together. So nobody
 * is lost through a chain of similar pages, and the result does not depend on how the pairs were found or distributed.
 *
 * <p>One task does this, for a decision needs all better ones. It keeps in memory the duplicates that are not of equal signatures with another
 * page of their site, some 300 bytes each.
 */
final class KeepReducer extends Reducer<BytesWritable, Pair, Text, CrawlDatum> {
  private record Kept(byte[] page, float similarity) {}

  private final Map<ByteBuffer, Kept> duplicates = new HashMap<>();

  @Override
  protected void reduce(BytesWritable key, Iterable<Pair> pairs, Context context) throws IOException, InterruptedException {
    byte[] twin = null;
    Kept kept = null;
    for (Pair pair : pairs) {
      if (pair.identical()) {
        twin = pair.winner();
      } else if (!duplicates.containsKey(ByteBuffer.wrap(pair.winner())) && better(pair, kept)) {
        kept = new Kept(pair.winner(), pair.similarity());
      }
    }
    if (twin != null) {
      context.getCounter(NearDedupJob.COUNTERS, "duplicates_equal").increment(1);
      write(key, duplicates.getOrDefault(ByteBuffer.wrap(twin), new Kept(twin, 1)), context);
    } else if (kept != null) {
      context.getCounter(NearDedupJob.COUNTERS, "duplicates_near").increment(1);
      duplicates.put(ByteBuffer.wrap(key.copyBytes()), kept);
      write(key, kept, context);
    }
  }

  private static boolean better(Pair pair, Kept kept) {
    if (kept == null || pair.similarity() != kept.similarity) {
      return kept == null || pair.similarity() > kept.similarity;
    }
    return Arrays.compareUnsigned(pair.winner(), kept.page) < 0;
  }

  private static void write(BytesWritable page, Kept kept, Context context) throws IOException, InterruptedException {
    context.write(new Text(KeepOrder.url(page.copyBytes())), MarkReducer.mark(KeepOrder.url(kept.page), kept.similarity));
  }
}
