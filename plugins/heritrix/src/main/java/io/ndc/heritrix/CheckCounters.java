package io.ndc.heritrix;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.json.JSONObject;

/**
 * What a {@link NearDuplicateProcessor} did since the crawl began, over checkpoints and resumes. Safe for any number
 * of threads.
 */
final class CheckCounters {
  /** What is counted, in the order of the report. */
  enum Count {
    CHECKED("pages checked"),
    DUPLICATES("exact and near duplicates"),
    UNCHANGED("fetched again, unchanged"),
    TRUNCATED("checked by their beginning only"),
    EXCLUDED("left out by excludedHosts"),
    UNDECODABLE("left out for their content coding"),
    FAILED("checks failed"),
    FORGOTTEN("forgotten, since in no WARC file"),
    UNAVAILABLE("pages without a verdict: no store"),
    SNAPSHOTS_FAILED("snapshots failed");

    private final String label;

    Count(String label) {
      this.label = label;
    }
  }

  private static final int BUCKETS = Long.SIZE;

  private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  /** Checks by the number of bits of their microseconds. */
  private final AtomicLong[] latency = new AtomicLong[BUCKETS];

  CheckCounters() {
    for (Count count : Count.values()) {
      counts.put(count, new AtomicLong());
    }
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      latency[bucket] = new AtomicLong();
    }
  }

  long add(Count count) {
    return counts.get(count).incrementAndGet();
  }

  long get(Count count) {
    return counts.get(count).get();
  }

  /** Notes how long a check took, reading the page's recording included. */
  void addLatency(long elapsedNanos) {
    nanos.addAndGet(elapsedNanos);
    slowestNanos.accumulateAndGet(elapsedNanos, Math::max);
    latency[BUCKETS - 1 - Long.numberOfLeadingZeros(elapsedNanos / 1000 | 1)].incrementAndGet();
  }

  /** The lines of the processor's report. */
  String report() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (count, value) -> text.append(String.format(Locale.ROOT, "  %-36s%d%n", count.label + ":", value.get())));
    long checked = get(Count.CHECKED);
    if (checked > 0) {
      text.append(String.format(
          Locale.ROOT,
          "  %-36smean %.2f, half below %.2f, 99 %% below %.2f, slowest %.2f%n",
          "milliseconds a check:",
          nanos.get() / 1e6 / checked,
          quantileMillis(0.5),
          quantileMillis(0.99),
          slowestNanos.get() / 1e6));
    }
    return text.toString();
  }

  /** An upper bound, exact to a factor of two. */
  private double quantileMillis(double share) {
    long total = 0;
    for (AtomicLong bucket : latency) {
      total += bucket.get();
    }
    long seen = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      seen += latency[bucket].get();
      if (seen >= total * share) {
        return Math.min(Math.scalb(1.0, bucket + 1) / 1000, slowestNanos.get() / 1e6);
      }
    }
    return 0;
  }

  JSONObject toJson() {
    JSONObject json = new JSONObject();
    counts.forEach((count, value) -> json.put(count.name(), value.get()));
    return json;
  }

  /** Continues from a checkpoint; what it does not have stays. Latencies begin again with each launch. */
  void restore(JSONObject json) {
    counts.forEach((count, value) -> value.set(json.optLong(count.name(), value.get())));
  }
}
