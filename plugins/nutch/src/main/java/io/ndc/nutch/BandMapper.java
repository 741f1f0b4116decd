package io.ndc.nutch;

import io.ndc.CorruptException;
import io.ndc.InvalidArgumentException;
import io.ndc.Signature;
import io.ndc.UnsupportedVersionException;
import io.ndc.crawler.HostPatterns;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.util.URLUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Emits each page under the bands of its sketch: pages that share one are worth comparing. A signature that is no
 * sketch of this version of ndc has one band, itself. A sketch that an excluded host has from before it was excluded
 * has none. In group modes host and domain, a band holds pages of one host or domain only.
 */
final class BandMapper extends Mapper<Text, CrawlDatum, BandKey, BytesWritable> {
  /** First byte of a band whose pages are compared. */
  static final byte SKETCH = 0;
  /** First byte of a band whose pages have the same signature that is not a sketch. */
  static final byte EQUAL = 1;

  private static final Logger LOG = LoggerFactory.getLogger(BandMapper.class);

  private KeepOrder order;
  private String groupMode;
  private HostPatterns excluded;
  private boolean redecide;

  @Override
  protected void setup(Context context) {
    Configuration conf = context.getConfiguration();
    order = new KeepOrder(conf.get(NearDedupJob.COMPARE_ORDER));
    groupMode = conf.get(NearDedupJob.GROUP_MODE);
    excluded = NutchOptions.excludedHosts(conf, LOG::error);
    redecide = conf.getBoolean(NearDedupJob.REDECIDE, false);
  }

  @Override
  protected void map(Text key, CrawlDatum datum, Context context) throws IOException, InterruptedException {
    if (!NearDedupJob.takesPart(datum)) {
      return;
    }
    context.getCounter(NearDedupJob.COUNTERS, "pages").increment(1);
    String url = key.toString();
    byte[] signature = datum.getSignature();
    boolean duplicate = !redecide && NearDedupJob.isDuplicate(datum);
    byte[] page = order.rank(url, datum.getScore(), datum.getFetchTime(), duplicate);
    byte[] group = group(url);
    BytesWritable value = new BytesWritable(signature);
    long[] keys = keys(signature);
    if (keys.length > 0 && excluded.matchesUrl(url)) {
      context.getCounter(NearDedupJob.COUNTERS, "pages_without_sketch").increment(1);
      return;
    }
    if (keys.length == 0) {
      context.getCounter(NearDedupJob.COUNTERS, "pages_without_sketch").increment(1);
      byte[] band = ByteBuffer.allocate(3 + signature.length + group.length)
          .put(EQUAL).putShort((short) signature.length).put(signature).put(group).array();
      context.write(new BandKey(band, page), value);
    }
    for (long hash : keys) {
      byte[] band = ByteBuffer.allocate(1 + Long.BYTES + group.length).put(SKETCH).putLong(hash).put(group).array();
      context.write(new BandKey(band, page), value);
    }
  }

  // None: not a sketch. If the library cannot be loaded, the job fails instead.
  private static long[] keys(byte[] signature) {
    if (signature.length == 16) {
      return new long[0];
    }
    try {
      return Arrays.stream(Signature.keys(signature)).distinct().toArray();
    } catch (CorruptException | UnsupportedVersionException | InvalidArgumentException e) {
      return new long[0];
    }
  }

  private byte[] group(String url) {
    String name = switch (groupMode) {
      case "host" -> HostPatterns.hostOf(url);
      case "domain" -> domain(url);
      default -> "";
    };
    return name.getBytes(StandardCharsets.UTF_8);
  }

  // As the stock job has it.
  private static String domain(String url) {
    try {
      return URLUtil.getDomainName(url);
    } catch (MalformedURLException | IllegalArgumentException e) {
      return HostPatterns.hostOf(url);
    }
  }
}
