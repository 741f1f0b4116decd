package io.ndc.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.collection.BufferedIterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds up the votes of each page for its candidates and keeps the candidates of most votes. Takes rows (place,
 * candidate, vote), by place, then by candidate; gives rows of {@link CandidatesStage#SCHEMA}. Holds the kept
 * candidates of one page.
 */
final class BestCandidates {
  /** A candidate and its votes. */
  private record Voted(long candidate, long votes) {}

  /** The worst first. */
  private static final Comparator<Voted> WORST =
      Comparator.comparingLong(Voted::votes).thenComparing(Comparator.comparingLong(Voted::candidate).reversed());

  private final BufferedIterator<Row> links;
  private final int limit;
  private final Counts counts;
  private final PriorityQueue<Voted> best = new PriorityQueue<>(WORST);

  BestCandidates(Iterator<Row> links, int limit, Counts counts) {
    this.links = CollectionConverters.asScala(links).buffered();
    this.limit = limit;
    this.counts = counts;
  }

  /** Null at the end. */
  Row next() {
    if (!links.hasNext()) return null;
    long place = links.head().getLong(0);
    while (isOf(place))
      take(place);
    List<Voted> kept = new ArrayList<>(best);
    best.clear();
    kept.sort(WORST.reversed());
    counts.add("linked_pages", 1);
    counts.add("links", kept.size());
    return RowFactory.create(place, kept.stream().mapToLong(Voted::candidate).boxed().toArray(Long[]::new),
        kept.stream().mapToLong(Voted::votes).boxed().toArray(Long[]::new));
  }

  private void take(long place) {
    long candidate = links.head().getLong(1);
    long votes = 0;
    while (isOf(place) && links.head().getLong(1) == candidate)
      votes += links.next().getLong(2);
    best.add(new Voted(candidate, votes));
    if (best.size() > limit) best.poll();
  }

  private boolean isOf(long place) {
    return links.hasNext() && links.head().getLong(0) == place;
  }
}
