package io.ndc;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an engine counts: since it was opened, unless it says "now". Bytes are counted by the library itself. None is
 * negative.
 *
 * @param pages in the engine now
 * @param groups in the engine now
 * @param checks calls of check and checkFeatures that succeeded
 * @param queries calls of query that succeeded
 * @param verdictNew of the checks: {@link Verdict#NEW}
 * @param verdictUnchanged of the checks: {@link Verdict#UNCHANGED}
 * @param verdictExact of the checks: {@link Verdict#EXACT}
 * @param verdictNear of the checks: {@link Verdict#NEAR}
 * @param verdictNoText of the checks: {@link Verdict#NO_TEXT}
 * @param recrawls checks of a known URL
 * @param changed recrawls with another text than the last time
 * @param regrouped pages that moved to another group
 * @param removed pages that were removed
 * @param bodyBytes bytes of the bodies of all checks
 * @param candidates groups that shared a key or spot signatures with a page, ranked and capped
 * @param verifications comparisons by LCS
 * @param rejectedBySketch of them, ended by the filtered sketch alone
 * @param retriedCommits checks that met a page committed meanwhile and looked again
 * @param limitPageBytes pages cut by page_bytes_limit
 * @param limitMarkup pages cut by a limit on markup
 * @param limitTokens pages cut by a limit on tokens
 * @param limitCandidates checks with more candidates than are compared
 * @param limitVerifications checks with more verifications than are allowed
 * @param limitWork comparisons ended by a limit on work
 * @param limitMemory what memory_budget_bytes left out
 * @param hotKeysDeleted keys deleted as template or spam
 * @param keys in the index now
 * @param bytesTotal bytes in memory: the sum of the following five
 * @param bytesIndex bytes of the indexes of candidates
 * @param bytesFeatures bytes of the texts
 * @param bytesPages bytes of pages and groups
 * @param bytesEvents bytes of the events
 * @param bytesScratch bytes of the buffers of running calls
 * @param reverified recrawls with the same text that were decided anew, because the model of the site had moved
 * @param limitIndex pages and groups that an index's budget left out or drove out
 * @param bytesSpots of bytesIndex: the index of spot signatures
 * @param limitSpots checks of pages with more spot signatures than are kept, or made with other parameters
 * @param generation of the store: its last snapshot; 0 in memory
 * @param snapshots taken since the engine was opened
 * @param bytesDisk bytes of the last snapshot's files
 * @param bytesJournal bytes written to the journal since the last snapshot
 * @param expired of removed: by page_ttl_s
 * @param merges groups that became part of another one
 * @param mergeVerifications of verifications: for merging
 * @param limitMerges pairs of groups that might have merged and were forgotten: beyond merge_pairs_limit, or beyond 32 of one
 *     site
 * @param unfinishedMerges groups of which some members are not yet verified against the group they come into, now
 */
public record Statistics(
    long pages,
    long groups,
    long checks,
    long queries,
    long verdictNew,
    long verdictUnchanged,
    long verdictExact,
    long verdictNear,
    long verdictNoText,
    long recrawls,
    long changed,
    long regrouped,
    long removed,
    long bodyBytes,
    long candidates,
    long verifications,
    long rejectedBySketch,
    long retriedCommits,
    long limitPageBytes,
    long limitMarkup,
    long limitTokens,
    long limitCandidates,
    long limitVerifications,
    long limitWork,
    long limitMemory,
    long hotKeysDeleted,
    long keys,
    long bytesTotal,
    long bytesIndex,
    long bytesFeatures,
    long bytesPages,
    long bytesEvents,
    long bytesScratch,
    long reverified,
    long limitIndex,
    long bytesSpots,
    long limitSpots,
    long generation,
    long snapshots,
    long bytesDisk,
    long bytesJournal,
    long expired,
    long merges,
    long mergeVerifications,
    long limitMerges,
    long unfinishedMerges) {

  /** From the order of the fields of nd_stats. */
  static Statistics of(long[] counters) {
    return new Statistics(
        counters[0],
        counters[1],
        counters[2],
        counters[3],
        counters[4],
        counters[5],
        counters[6],
        counters[7],
        counters[8],
        counters[9],
        counters[10],
        counters[11],
        counters[12],
        counters[13],
        counters[14],
        counters[15],
        counters[16],
        counters[17],
        counters[18],
        counters[19],
        counters[20],
        counters[21],
        counters[22],
        counters[23],
        counters[24],
        counters[25],
        counters[26],
        counters[27],
        counters[28],
        counters[29],
        counters[30],
        counters[31],
        counters[32],
        counters[33],
        counters[34],
        counters[35],
        counters[36],
        counters[37],
        counters[38],
        counters[39],
        counters[40],
        counters[41],
        counters[42],
        counters[43],
        counters[44],
        counters[45]);
  }

  /**
   * The same by the names of the C interface, {@code verdict_near} for {@link #verdictNear()}, for reports.
   *
   * @return all counters in the order of {@code nd_stats}; unmodifiable
   */
  public Map<String, Long> asMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    map.put("pages", pages);
    map.put("groups", groups);
    map.put("checks", checks);
    map.put("queries", queries);
    map.put("verdict_new", verdictNew);
    map.put("verdict_unchanged", verdictUnchanged);
    map.put("verdict_exact", verdictExact);
    map.put("verdict_near", verdictNear);
    map.put("verdict_no_text", verdictNoText);
    map.put("recrawls", recrawls);
    map.put("changed", changed);
    map.put("regrouped", regrouped);
    map.put("removed", removed);
    map.put("body_bytes", bodyBytes);
    map.put("candidates", candidates);
    map.put("verifications", verifications);
    map.put("rejected_by_sketch", rejectedBySketch);
    map.put("retried_commits", retriedCommits);
    map.put("limit_page_bytes", limitPageBytes);
    map.put("limit_markup", limitMarkup);
    map.put("limit_tokens", limitTokens);
    map.put("limit_candidates", limitCandidates);
    map.put("limit_verifications", limitVerifications);
    map.put("limit_work", limitWork);
    map.put("limit_memory", limitMemory);
    map.put("hot_keys_deleted", hotKeysDeleted);
    map.put("keys", keys);
    map.put("bytes_total", bytesTotal);
    map.put("bytes_index", bytesIndex);
    map.put("bytes_features", bytesFeatures);
    map.put("bytes_pages", bytesPages);
    map.put("bytes_events", bytesEvents);
    map.put("bytes_scratch", bytesScratch);
    map.put("reverified", reverified);
    map.put("limit_index", limitIndex);
    map.put("bytes_spots", bytesSpots);
    map.put("limit_spots", limitSpots);
    map.put("generation", generation);
    map.put("snapshots", snapshots);
    map.put("bytes_disk", bytesDisk);
    map.put("bytes_journal", bytesJournal);
    map.put("expired", expired);
    map.put("merges", merges);
    map.put("merge_verifications", mergeVerifications);
    map.put("limit_merges", limitMerges);
    map.put("unfinished_merges", unfinishedMerges);
    return Collections.unmodifiableMap(map);
  }
}
