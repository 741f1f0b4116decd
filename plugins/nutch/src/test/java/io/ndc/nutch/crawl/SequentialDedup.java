package io.ndc.nutch.crawl;

import io.ndc.Signature;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * What NearDedupJob must find, by the plainest way: all pages in the order in which they are kept, each compared with
 * every page kept so far that has a candidate key in common; a page whose sketch equals that of an earlier page of its
 * site goes where that one went. Pages that are duplicates already come after all others. Sketches only.
 */
public final class SequentialDedup {
  private static final Comparator<Map.Entry<String, CrawlDatum>> ORDER = Comparator
      .<Map.Entry<String, CrawlDatum>, Boolean>comparing(e -> isDuplicate(e.getValue()))
      .thenComparing(e -> -e.getValue().getScore())
      .thenComparing(e -> -e.getValue().getFetchTime())
      .thenComparing(e -> !e.getKey().startsWith("https:"))
      .thenComparing(e -> URLDecoder.decode(e.getKey(), StandardCharsets.UTF_8).length())
      .thenComparing(Map.Entry::getKey);

  private SequentialDedup() {}

  private static boolean isDuplicate(CrawlDatum datum) {
    return datum.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE
        || datum.getMetaData().containsKey(new Text("nd.duplicate.of"));
  }

  /** The kept page of each duplicate among the entries that were fetched. */
  public static Map<String, String> duplicates(Map<String, CrawlDatum> entries, double threshold,
      double sameSiteThreshold,
      Function<String, String> site) {
    List<Map.Entry<String, CrawlDatum>> pages = entries.entrySet().stream()
        .filter(e -> e.getValue().getStatus() == CrawlDatum.STATUS_DB_FETCHED
            || e.getValue().getStatus() == CrawlDatum.STATUS_DB_DUPLICATE).sorted(ORDER)
        .collect(Collectors.toList());
    List<Map.Entry<String, CrawlDatum>> kept = new ArrayList<>();
    Map<String, String> duplicates = new TreeMap<>();
    Map<String, String> twins = new TreeMap<>();
    for (Map.Entry<String, CrawlDatum> page : pages) {
      String kind = Arrays.toString(page.getValue().getSignature())
          + (threshold == sameSiteThreshold ? "" : site.apply(page.getKey()));
      String twin = sameSiteThreshold > 1 ? null : twins.putIfAbsent(kind, page.getKey());
      if (twin != null) {
        duplicates.put(page.getKey(), duplicates.getOrDefault(twin, twin));
        continue;
      }
      String of = null;
      double best = 0;
      for (Map.Entry<String, CrawlDatum> other : kept) {
        byte[] a = other.getValue().getSignature();
        byte[] b = page.getValue().getSignature();
        if (!shareKey(a, b)) {
          continue;
        }
        double similarity = Signature.compare(a, b);
        boolean sameSite = site.apply(other.getKey()).equals(site.apply(page.getKey()));
        if (similarity > best && similarity + 1e-6 >= (sameSite ? sameSiteThreshold : threshold)) {
          best = similarity;
          of = other.getKey();
        }
      }
      if (of == null) {
        kept.add(page);
      } else {
        duplicates.put(page.getKey(), of);
      }
    }
    return duplicates;
  }

  private static boolean shareKey(byte[] a, byte[] b) {
    long[] keys = Signature.keys(a);
    Arrays.sort(keys);
    return LongStream.of(Signature.keys(b)).anyMatch(key -> Arrays.binarySearch(keys, key) >= 0);
  }
}
