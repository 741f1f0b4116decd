package io.ndc.nutch;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The total order in which pages are kept: of two near-duplicates the one with the smaller rank stays. A rank is a byte
 * string, compared byte by byte, unsigned: pages that are kept now before those that are duplicates, the criteria in
 * the order that was asked for, then the URL, so that no two pages are equal. It is a page's identity throughout the
 * jobs.
 *
 * <p>Criterion {@code httpsOverHttp} prefers https to http whatever the rest of the URL is; the stock job compares only
 * URLs that are equal but for it, which together with {@code urlLength} can go round in a circle.
 */
final class KeepOrder {
  private enum Criterion {
    score(Float.BYTES),
    fetchTime(Long.BYTES),
    httpsOverHttp(1),
    urlLength(Integer.BYTES);

    final int size;

    Criterion(int size) {
      this.size = size;
    }
  }

  private final List<Criterion> criteria = new ArrayList<>();
  private int prefix = 2;

  /**
   * The order that {@code names}, separated by commas, describes.
   *
   * @throws IllegalArgumentException if there is none of that name, or one of score, fetchTime and urlLength is missing
   */
  KeepOrder(String names) {
    for (String name : names.split(",")) {
      try {
        Criterion criterion = Criterion.valueOf(name.strip());
        criteria.add(criterion);
        prefix += criterion.size;
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("compareOrder: '" + name
            + "' is none of score, fetchTime, httpsOverHttp, urlLength", e);
      }
    }
    if (!criteria.containsAll(List.of(Criterion.score, Criterion.fetchTime, Criterion.urlLength))) {
      throw new IllegalArgumentException("compareOrder must contain score, fetchTime and urlLength, but is '" + names
          + "'");
    }
  }

  /**
   * The rank of a page.
   *
   * @param duplicate whether it is a duplicate by now, and so may be in no segment that is about to be indexed
   */
  byte[] rank(String url, float score, long fetchTime, boolean duplicate) {
    byte[] name = url.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(prefix + name.length);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(prefix);
      out.writeBoolean(duplicate);
      for (Criterion criterion : criteria) {
        switch (criterion) {
          case score -> out.writeInt(~ascending(score));
          case fetchTime -> out.writeLong(~(fetchTime ^ Long.MIN_VALUE));
          case httpsOverHttp -> out.writeByte(url.startsWith("https:") ? 0 : 1);
          case urlLength -> out.writeInt(decodedLength(url));
        }
      }
      out.write(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The URL of the page that has {@code rank}. */
  static String url(byte[] rank) {
    return new String(rank, rank[0], rank.length - rank[0], StandardCharsets.UTF_8);
  }

  // Unsigned, in the order of Float.compare.
  private static int ascending(float value) {
    int bits = Float.floatToIntBits(value);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE) ^ Integer.MIN_VALUE;
  }

  private static int decodedLength(String url) {
    try {
      return URLDecoder.decode(url, StandardCharsets.UTF_8).length();
    } catch (IllegalArgumentException e) {
      return url.length();
    }
  }
}
