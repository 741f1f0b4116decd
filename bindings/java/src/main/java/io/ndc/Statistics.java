package io.ndc;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine counts: since it was opened, unless it says "now". Bytes are counted by the library itself. None is
 * negative. Later versions may count more.
 */
public final class Statistics {
  /** In the order of the fields of nd_stats, and by their names. */
  private static final List<String> NAMES = List.of(
      "pages", "groups", "checks", "queries", "verdict_new", "verdict_unchanged", "verdict_exact",
      "verdict_near", "verdict_no_text", "recrawls", "changed", "regrouped", "removed", "body_bytes",
      "candidates", "verifications", "rejected_by_sketch", "retried_commits", "limit_page_bytes",
      "limit_markup", "limit_tokens", "limit_candidates", "limit_verifications", "limit_work", "limit_memory",
      "hot_keys_deleted", "keys", "bytes_total", "bytes_index", "bytes_features", "bytes_pages", "bytes_events",
      "bytes_scratch", "reverified", "limit_index", "bytes_spots", "limit_spots", "generation", "snapshots",
      "bytes_disk", "bytes_journal", "expired", "limit_sites",
      "without_own_text");

  private final long[] counters;

  private Statistics(long[] counters) {
    this.counters = counters;
  }

  /** From the order of the fields of nd_stats. */
  static Statistics of(long[] counters) {
    if (counters.length != NAMES.size()) {
      throw new InternalException("the library counts " + counters.length + " things, not " + NAMES.size());
    }
    return new Statistics(counters);
  }

  /**
   * In the engine now.
   *
   * @return how many
   */
  public long pages() {
    return counters[0];
  }

  /**
   * In the engine now.
   *
   * @return how many
   */
  public long groups() {
    return counters[1];
  }

  /**
   * Calls of check and checkFeatures that succeeded.
   *
   * @return how many
   */
  public long checks() {
    return counters[2];
  }

  /**
   * Calls of query that succeeded.
   *
   * @return how many
   */
  public long queries() {
    return counters[3];
  }

  /**
   * Of the checks: {@link Verdict#NEW}.
   *
   * @return how many
   */
  public long verdictNew() {
    return counters[4];
  }

  /**
   * Of the checks: {@link Verdict#UNCHANGED}.
   *
   * @return how many
   */
  public long verdictUnchanged() {
    return counters[5];
  }

  /**
   * Of the checks: {@link Verdict#EXACT}.
   *
   * @return how many
   */
  public long verdictExact() {
    return counters[6];
  }

  /**
   * Of the checks: {@link Verdict#NEAR}.
   *
   * @return how many
   */
  public long verdictNear() {
    return counters[7];
  }

  /**
   * Of the checks: {@link Verdict#NO_TEXT}.
   *
   * @return how many
   */
  public long verdictNoText() {
    return counters[8];
  }

  /**
   * Checks of a known URL.
   *
   * @return how many
   */
  public long recrawls() {
    return counters[9];
  }

  /**
   * Recrawls with another text than the last time.
   *
   * @return how many
   */
  public long changed() {
    return counters[10];
  }

  /**
   * Pages that moved to another group.
   *
   * @return how many
   */
  public long regrouped() {
    return counters[11];
  }

  /**
   * Pages that were removed.
   *
   * @return how many
   */
  public long removed() {
    return counters[12];
  }

  /**
   * Bytes of the bodies of all checks.
   *
   * @return bytes
   */
  public long bodyBytes() {
    return counters[13];
  }

  /**
   * Groups that shared a key or spot signatures with a page, ranked and capped.
   *
   * @return how many
   */
  public long candidates() {
    return counters[14];
  }

  /**
   * Comparisons by LCS.
   *
   * @return how many
   */
  public long verifications() {
    return counters[15];
  }

  /**
   * Of them, ended by the filtered sketch alone.
   *
   * @return how many
   */
  public long rejectedBySketch() {
    return counters[16];
  }

  /**
   * Checks that met a page committed meanwhile and looked again.
   *
   * @return how many
   */
  public long retriedCommits() {
    return counters[17];
  }

  /**
   * Pages cut by page_bytes_limit.
   *
   * @return how many
   */
  public long limitPageBytes() {
    return counters[18];
  }

  /**
   * Pages cut by a limit on markup.
   *
   * @return how many
   */
  public long limitMarkup() {
    return counters[19];
  }

  /**
   * Pages cut by a limit on tokens.
   *
   * @return how many
   */
  public long limitTokens() {
    return counters[20];
  }

  /**
   * Checks with more candidates than are compared.
   *
   * @return how many
   */
  public long limitCandidates() {
    return counters[21];
  }

  /**
   * Checks with more verifications than are allowed.
   *
   * @return how many
   */
  public long limitVerifications() {
    return counters[22];
  }

  /**
   * Comparisons ended by a limit on work.
   *
   * @return how many
   */
  public long limitWork() {
    return counters[23];
  }

  /**
   * What memory_budget_bytes left out.
   *
   * @return how many
   */
  public long limitMemory() {
    return counters[24];
  }

  /**
   * Keys deleted as template or spam.
   *
   * @return how many
   */
  public long hotKeysDeleted() {
    return counters[25];
  }

  /**
   * In the index now.
   *
   * @return how many
   */
  public long keys() {
    return counters[26];
  }

  /**
   * Bytes in memory: the sum of the following five.
   *
   * @return bytes
   */
  public long bytesTotal() {
    return counters[27];
  }

  /**
   * Bytes of the indexes of candidates.
   *
   * @return bytes
   */
  public long bytesIndex() {
    return counters[28];
  }

  /**
   * Bytes of the texts.
   *
   * @return bytes
   */
  public long bytesFeatures() {
    return counters[29];
  }

  /**
   * Bytes of pages and groups.
   *
   * @return bytes
   */
  public long bytesPages() {
    return counters[30];
  }

  /**
   * Bytes of the events.
   *
   * @return bytes
   */
  public long bytesEvents() {
    return counters[31];
  }

  /**
   * Bytes of the buffers of running calls.
   *
   * @return bytes
   */
  public long bytesScratch() {
    return counters[32];
  }

  /**
   * Recrawls with the same text that were decided again, because the model of the site had moved.
   *
   * @return how many
   */
  public long reverified() {
    return counters[33];
  }

  /**
   * Pages and groups that an index's budget left out or drove out.
   *
   * @return how many
   */
  public long limitIndex() {
    return counters[34];
  }

  /**
   * Of bytesIndex: the index of spot signatures.
   *
   * @return bytes
   */
  public long bytesSpots() {
    return counters[35];
  }

  /**
   * Checks of pages with more spot signatures than are kept, or made with other parameters.
   *
   * @return how many
   */
  public long limitSpots() {
    return counters[36];
  }

  /**
   * Of the store: its last snapshot; 0 in memory.
   *
   * @return a number that counts up
   */
  public long generation() {
    return counters[37];
  }

  /**
   * Taken since the engine was opened.
   *
   * @return how many
   */
  public long snapshots() {
    return counters[38];
  }

  /**
   * Bytes of the last snapshot's files.
   *
   * @return bytes
   */
  public long bytesDisk() {
    return counters[39];
  }

  /**
   * Bytes written to the journal since the last snapshot.
   *
   * @return bytes
   */
  public long bytesJournal() {
    return counters[40];
  }

  /**
   * Of removed: by page_ttl_s.
   *
   * @return how many
   */
  public long expired() {
    return counters[41];
  }

  /**
   * Sites, and parts of them, that were forgotten beyond site_bytes.
   *
   * @return how many
   */
  public long limitSites() {
    return counters[42];
  }

  /**
   * Of checks, with detector lcs: pages read here that had nothing but what many pages of their site have, numbers
   * aside.
   *
   * @return how many
   */
  public long withoutOwnText() {
    return counters[43];
  }

  /**
   * The same by the names of the C interface, {@code verdict_near} for {@link #verdictNear()}, for reports.
   *
   * @return all counters in the order of {@code nd_stats}; unmodifiable
   */
  public Map<String, Long> asMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (int i = 0; i < counters.length; ++i) {
      map.put(NAMES.get(i), counters[i]);
    }
    return Collections.unmodifiableMap(map);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Statistics statistics && Arrays.equals(counters, statistics.counters);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counters);
  }

  /** All counters, for people. */
  @Override
  public String toString() {
    return "Statistics" + asMap();
  }
}
