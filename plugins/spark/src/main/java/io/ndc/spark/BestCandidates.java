package io.ndc.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Adds up the votes of each page for its candidates and keeps the candidates of most votes. Takes rows (place, candidate, vote), by
 * place, then by candidate; gives rows of {@link CandidatesStage#SCHEMA}. Holds the kept candidates of one page.
 */
final class BestCandidates implements Iterator<Row> {
  /** A candidate and its votes. */
  private record Voted(long candidate, long votes) {}

  /** The worst first. */
  private static final Comparator<Voted> WORST =
      Comparator.comparingLong(Voted::votes).thenComparing(Comparator.comparingLong(Voted::candidate).reversed());

  private final Iterator<Row> links;
  private final int limit;
  private final Counts counts;
  private final PriorityQueue<Voted> best = new PriorityQueue<>(WORST);
  private Row ahead;

  BestCandidates(Iterator<Row> links, int limit, Counts counts) {
    this.links = links;
    this.limit = limit;
    this.counts = counts;
    advance();
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public Row next() {
    if (ahead == null) throw new NoSuchElementException();
    long place = ahead.getLong(0);
    while (ahead != null && ahead.getLong(0) == place)
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
    long candidate = ahead.getLong(1);
    long votes = 0;
    for (; ahead != null && ahead.getLong(0) == place && ahead.getLong(1) == candidate; advance())
      votes += ahead.getLong(2);
    best.add(new Voted(candidate, votes));
    if (best.size() > limit) best.poll();
  }

  private void advance() {
    ahead = links.hasNext() ? links.next() : null;
  }
}
