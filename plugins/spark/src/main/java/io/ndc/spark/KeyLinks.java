package io.ndc.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Links the pages of a key's list to the pages at its head. Deletes the keys that TR2007012, section 4.2, deletes.
 * Takes rows (key, place, site), by key, then by place; gives rows (place, candidate, vote). Representatives of an
 * earlier run are at the head of the lists; those that have not changed since are linked to nothing: they keep their
 * groups. Holds one list at a time, of at most one place more than {@code hotPages}.
 */
final class KeyLinks {
  /** A vote of a whole key. A whole number, since sums of those do not depend on their order. */
  static final long VOTE = 1L << 20;

  private final BufferedIterator<Row> rows;
  private final CandidatesStage.Limits limits;
  private final Counts counts;
  private final Set<Long> sites = new HashSet<>();
  private long[] places = new long[16];
  private int size;
  private int page;
  private int head;

  KeyLinks(Iterator<Row> rows, CandidatesStage.Limits limits, Counts counts) {
    this.rows = CollectionConverters.asScala(rows).buffered();
    this.limits = limits;
    this.counts = counts;
  }

  /** Null at the end. */
  Row next() {
    while (page >= size && rows.hasNext())
      takeList();
    if (page >= size) return null;
    Row link = RowFactory.create(places[page], places[head], VOTE / size);
    if (++head == Math.min(page, limits.heads)) {
      page++;
      head = 0;
    }
    return link;
  }

  /** Reads the next list; leaves an empty one if its key is deleted. */
  private void takeList() {
    long key = rows.head().getLong(0);
    long length = 0;
    sites.clear();
    // The first page of a list is linked to none.
    page = 1;
    head = 0;
    for (size = 0; rows.hasNext() && rows.head().getLong(0) == key; length++) {
      Row row = rows.next();
      if (length > limits.hotPages) continue;
      if (sites.size() <= limits.hotSites) sites.add(row.getLong(2));
      if (size == places.length) places = Arrays.copyOf(places, 2 * size);
      places[size++] = row.getLong(1);
      if (Place.isSettled(row.getLong(1))) page = size;
    }
    counts.add("keys", 1);
    if (length > limits.hotPages) {
      delete("hot_keys");
    } else if (length > limits.hotSitePages && sites.size() <= limits.hotSites) {
      delete("hot_site_keys");
    }
  }

  private void delete(String counter) {
    counts.add(counter, 1);
    size = 0;
  }
}
