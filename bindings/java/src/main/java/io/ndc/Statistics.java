package io.ndc;

import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What an engine counts: since it was opened, unless it says "now". Bytes are counted by the library itself. None is
 * negative. Later versions may add components: read by the accessors, and leave the constructor to this package.
 *
 * @param pages in the engine now
 * @param groups in the engine now
 * @param checks that succeeded, and applied outcomes
 * @param queries calls of query that succeeded
 * @param bodyBytes bytes of the bodies of all checks
 * @param verdictNew of the checks: {@link Verdict#NEW}
 * @param verdictUnchanged of the checks: {@link Verdict#UNCHANGED}
 * @param verdictExact of the checks: {@link Verdict#EXACT}
 * @param verdictNear of the checks: {@link Verdict#NEAR}
 * @param verdictNoText of the checks: {@link Verdict#NO_TEXT}
 * @param recrawls checks of a known URL
 * @param changed recrawls with another text than the last time
 * @param reverified recrawls with the same text that were decided again, because the model of the site had moved
 * @param regrouped pages that moved to another group
 * @param removed pages that were removed
 * @param expired of removed: by page_ttl_s
 * @param withoutOwnText of checks, with detector lcs: pages that had nothing but what many pages of their
 *     site have, numbers aside
 * @param candidates groups that shared a key or spot signatures with a page, ranked and capped
 * @param verifications comparisons by LCS
 * @param rejectedBySketch of them, ended by the filtered sketch alone
 * @param retriedCommits checks that met a page committed meanwhile and looked again
 * @param keys in the index now
 * @param hotKeysDeleted keys deleted as template or spam
 * @param limitPageBytes pages cut by page_bytes_limit
 * @param limitMarkup pages cut by a limit on markup
 * @param limitTokens pages cut by a limit on tokens
 * @param limitCandidates checks with more candidates than are compared
 * @param limitVerifications checks with more verifications than are allowed
 * @param limitWork comparisons ended by a limit on work
 * @param limitMemory what memory_budget_bytes left out
 * @param limitIndex pages and groups that an index's budget left out or drove out
 * @param limitSpots checks of pages with more spot signatures than are kept, or made with other parameters
 * @param limitSites sites, and parts of them, that were forgotten beyond site_bytes
 * @param bytesTotal bytes in memory: the sum of the following five
 * @param bytesIndex bytes of the indexes of candidates
 * @param bytesFeatures bytes of the texts
 * @param bytesPages bytes of pages and groups
 * @param bytesEvents bytes of the events
 * @param bytesScratch bytes of the buffers of running calls
 * @param bytesSpots of bytesIndex: the index of spot signatures
 * @param generation of the store: its last snapshot; 0 in memory
 * @param snapshots taken since the engine was opened
 * @param bytesDisk bytes of the last snapshot's files
 * @param bytesJournal bytes written to the journal since the last snapshot
 */
public record Statistics(long pages, long groups, long checks, long queries, long bodyBytes, long verdictNew,
    long verdictUnchanged, long verdictExact, long verdictNear, long verdictNoText, long recrawls, long changed,
    long reverified, long regrouped, long removed, long expired, long withoutOwnText, long candidates,
    long verifications, long rejectedBySketch, long retriedCommits, long keys, long hotKeysDeleted,
    long limitPageBytes, long limitMarkup, long limitTokens, long limitCandidates, long limitVerifications,
    long limitWork, long limitMemory, long limitIndex, long limitSpots, long limitSites, long bytesTotal,
    long bytesIndex, long bytesFeatures, long bytesPages, long bytesEvents, long bytesScratch, long bytesSpots,
    long generation, long snapshots, long bytesDisk, long bytesJournal) {
  private static final RecordComponent[] COUNTERS = Statistics.class.getRecordComponents();

  /** From the order of the fields of nd_stats, which is that of the components. */
  static Statistics of(long[] n) {
    if (n.length != COUNTERS.length) {
      throw new InternalException("the library counts " + n.length + " things, not " + COUNTERS.length);
    }
    return new Statistics(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13],
        n[14], n[15], n[16], n[17], n[18], n[19], n[20], n[21], n[22], n[23], n[24], n[25], n[26], n[27], n[28],
        n[29], n[30], n[31], n[32], n[33], n[34], n[35], n[36], n[37], n[38], n[39], n[40], n[41], n[42], n[43]);
  }

  /**
   * The same by the names of the C interface, {@code verdict_near} for {@link #verdictNear()}, for reports.
   *
   * @return all counters in the order of {@code nd_stats}; unmodifiable
   */
  public Map<String, Long> asMap() {
    Map<String, Long> map = new LinkedHashMap<>();
    try {
      for (RecordComponent counter : COUNTERS) {
        String name = counter.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        map.put(name, (Long) counter.getAccessor().invoke(this));
      }
    } catch (ReflectiveOperationException impossible) {
      throw new InternalException("the counters cannot be listed: " + impossible);
    }
    return Collections.unmodifiableMap(map);
  }
}
