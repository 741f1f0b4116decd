package io.ndc.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.Features;
import io.ndc.FeaturesInfo;
import io.ndc.Flag;
import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.PageInfo;
import io.ndc.Result;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;

/**
 * Gives the pages of a result to a store, and counts what became of them. The store decides by itself, as about
 * any page; each page is counted in one of founders, joined_same, joined_other, joined_unnamed, founded_own, newer
 * and failed. One thread.
 */
final class StoreLoad {
  /** Failures that are reported one by one. */
  private static final int TOLD_FAILURES = 20;

  private final NearDuplicates store;
  private final PrintStream messages;
  private final ObjectNode counters = new ObjectMapper().createObjectNode();

  /**
   * A load.
   *
   * @param store open for writing; stays open
   * @param messages where pages that fail are reported
   */
  StoreLoad(NearDuplicates store, PrintStream messages) {
    this.store = store;
    this.messages = messages;
    for (String name : List.of("pages", "founders", "joined_same", "joined_other", "joined_unnamed", "founded_own",
        "newer", "failed", "unchanged", "limited"))
      counters.put(name, 0L);
  }

  /**
   * Takes a page.
   *
   * @param row as {@link FinishedResult#pages} gives it
   * @throws NearDuplicatesException if the store cannot go on; a page that cannot be taken is counted
   */
  void take(Row row) {
    count("pages");
    String url = row.getString(0);
    if (row.isNullAt(4)) {
      fail(url, "stages/captures has no features of it");
      return;
    }
    try {
      take(url, row.getString(1), row.getBoolean(2), row.getLong(3), row.getAs(4));
    } catch (NearDuplicatesException failure) {
      fail(url, JobException.ofThePage(failure));
    }
  }

  private void take(String url, String representative, boolean isFounder, long fetchedAtMs, byte[] features) {
    FeaturesInfo info = Features.info(features);
    // As the captures stage gives unknown times to the library.
    long atMs = Math.max(fetchedAtMs, 1);
    Optional<PageInfo> known = store.find(url);
    if (known.isPresent() && known.get().lastFetchedAtMs() > atMs) {
      // A crawler has been there since; it knows better.
      count("newer");
    } else if (known.isPresent() && isLoaded(known.get(), atMs, info)) {
      // Not checked again: it would be decided again where its site is known better by now.
      count("unchanged");
      count(known.get().pageId(), known.get().groupId(), representative, isFounder);
    } else {
      Result result = store.checkFeatures(features);
      if (result.flags().contains(Flag.LIMIT)) count("limited");
      count(result.pageId(), result.groupId(), representative, isFounder);
    }
  }

  private static boolean isLoaded(PageInfo known, long atMs, FeaturesInfo info) {
    return known.lastFetchedAtMs() == atMs && known.textHash() == info.textHash()
        && known.textWidth() == info.textWidth();
  }

  private void count(long pageId, long groupId, String representative, boolean isFounder) {
    Optional<String> founder = store.page(groupId).map(PageInfo::url);
    if (founder.isPresent() && founder.get().equals(representative)) {
      if (isFounder) count("founders");
      else count("joined_same");
    } else if (groupId == pageId) {
      count("founded_own");
    } else if (founder.isPresent()) {
      count("joined_other");
    } else {
      // Its founder was crawled again with another text, or removed, and the group lives on.
      count("joined_unnamed");
    }
  }

  private void fail(String url, String reason) {
    count("failed");
    if (counters.get("failed").asLong() <= TOLD_FAILURES) messages.println("NdLoad: " + url + ": " + reason);
  }

  private void count(String name) {
    counters.put(name, counters.get(name).asLong() + 1);
  }

  boolean isWhole() {
    return counters.get("failed").asLong() == 0;
  }

  /** By name. */
  ObjectNode counters() {
    return counters;
  }
}
