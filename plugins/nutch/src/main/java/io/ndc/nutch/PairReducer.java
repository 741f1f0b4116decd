package io.ndc.nutch;

import io.ndc.Signature;
import io.ndc.UnsupportedVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Compares the pages of a band on their sketches and writes, for each page, the better ranked ones that are similar
 * enough.
 *
 * <p>Pages of one site with equal signatures are one as far as comparisons go: only the best ranked is compared, the
 * others refer to it. Not so with a threshold above 1, which no two pages of a site reach. The first {@code
 * near.dedup.band.pages} that remain are compared with each other. What a band has
 * beyond that (a template, a flood) is compared with those until {@value #OVERFLOW_MATCHES} are similar, not among
 * itself; counters tell how many pages and pairs that concerns.
 */
final class PairReducer extends Reducer<BandKey, BytesWritable, BytesWritable, Pair> {
  private static final int OVERFLOW_MATCHES = 8;
  private static final int KNOWN_CLASSES_LIMIT = 100_000;
  private static final double ROUNDING = 1e-6;

  private record Leader(byte[] page, byte[] signature, String site) {}

  private double threshold;
  private double sameSiteThreshold;
  private int bandPages;

  @Override
  protected void setup(Context context) {
    Configuration conf = context.getConfiguration();
    threshold = conf.getDouble(NearDedupJob.THRESHOLD, NearDedupJob.DEFAULT_THRESHOLD);
    sameSiteThreshold = conf.getDouble(NearDedupJob.SAME_SITE_THRESHOLD, NearDedupJob.DEFAULT_SAME_SITE_THRESHOLD);
    bandPages = Math.max(1, conf.getInt(NearDedupJob.BAND_PAGES, NearDedupJob.DEFAULT_BAND_PAGES));
  }

  @Override
  protected void reduce(BandKey key, Iterable<BytesWritable> signatures, Context context)
      throws IOException, InterruptedException {
    if (key.band()[0] == BandMapper.EQUAL) {
      equal(key, signatures, context);
    } else {
      compare(key, signatures, context);
    }
  }

  private static void equal(BandKey key, Iterable<BytesWritable> signatures, Context context)
      throws IOException, InterruptedException {
    byte[] best = null;
    for (BytesWritable ignored : signatures) {
      if (best == null) {
        best = key.page();
      } else {
        context.write(new BytesWritable(key.page()), new Pair(best, 1, true));
      }
    }
  }

  private void compare(BandKey key, Iterable<BytesWritable> signatures, Context context)
      throws IOException, InterruptedException {
    List<Leader> leaders = new ArrayList<>();
    Map<ByteBuffer, byte[]> classes = new HashMap<>();
    long overflow = 0;
    long leftOut = 0;
    for (BytesWritable value : signatures) {
      Leader page = new Leader(key.page(), value.copyBytes(), Site.of(KeepOrder.url(key.page())));
      ByteBuffer kind = sameSiteThreshold > 1 ? null : kind(page);
      byte[] best = kind == null ? null : classes.get(kind);
      if (best != null) {
        context.write(new BytesWritable(page.page), new Pair(best, 1, true));
        continue;
      }
      boolean beyond = leaders.size() >= bandPages;
      int compared = compare(page, leaders, beyond ? OVERFLOW_MATCHES : Integer.MAX_VALUE, context);
      if (beyond) {
        leftOut += leaders.size() - compared + overflow++;
      } else {
        leaders.add(page);
      }
      if (kind != null && classes.size() < KNOWN_CLASSES_LIMIT) {
        classes.put(kind, page.page);
      }
    }
    if (overflow > 0) {
      context.getCounter(NearDedupJob.COUNTERS, "hot_bands").increment(1);
      context.getCounter(NearDedupJob.COUNTERS, "hot_band_pages").increment(overflow);
      context.getCounter(NearDedupJob.COUNTERS, "comparisons_left_out").increment(leftOut);
    }
  }

  // How many leaders it was compared with.
  private int compare(Leader page, List<Leader> leaders, int matchesWanted, Context context)
      throws IOException, InterruptedException {
    int compared = 0;
    int matches = 0;
    for (Leader leader : leaders) {
      if (matches == matchesWanted) {
        break;
      }
      compared++;
      double wanted = leader.site.equals(page.site) ? sameSiteThreshold : threshold;
      double similarity = wanted > 1 ? 0 : similarity(leader, page);
      if (similarity + ROUNDING >= wanted) {
        matches++;
        context.write(new BytesWritable(page.page), new Pair(leader.page, similarity, false));
      }
    }
    context.getCounter(NearDedupJob.COUNTERS, "comparisons").increment(compared);
    context.progress();
    return compared;
  }

  // A sketch of another version shares a band by chance only, and does not compare.
  private static double similarity(Leader a, Leader b) {
    try {
      return Signature.compare(a.signature, b.signature);
    } catch (UnsupportedVersionException e) {
      return 0;
    }
  }

  // What decides about a page besides its rank: the signature, and the site if it has a threshold of its own.
  private ByteBuffer kind(Leader page) {
    byte[] site = sameSiteThreshold == threshold ? new byte[0] : page.site.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(page.signature.length + 1 + site.length).put(page.signature).put((byte) 0).put(site)
        .flip();
  }
}
