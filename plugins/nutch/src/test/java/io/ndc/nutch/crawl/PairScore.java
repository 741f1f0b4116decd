package io.ndc.nutch.crawl;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Precision, recall and F1 over all unordered pairs of pages: two pages are a true pair if their labels are equal, a found pair if their groups
 * are.
 */
public record PairScore(long labelled, long grouped, long right) {
  /** Scores the pages of {@code labels}; one without a group is alone. */
  public static PairScore of(Map<String, String> labels, Map<String, String> groups) {
    Function<String, String> group = url -> groups.getOrDefault(url, "alone " + url);
    return new PairScore(pairs(labels, labels::get), pairs(labels, group), pairs(labels, url -> labels.get(url) + '\n' + group.apply(url)));
  }

  private static long pairs(Map<String, String> labels, Function<String, String> cell) {
    Map<String, Long> sizes = new HashMap<>();
    labels.keySet().forEach(url -> sizes.merge(cell.apply(url), 1L, Long::sum));
    return sizes.values().stream().mapToLong(size -> size * (size - 1) / 2).sum();
  }

  /** 1 if nothing was found. */
  public double precision() {
    return grouped == 0 ? 1 : (double) right / grouped;
  }

  /** 1 if there is nothing to find. */
  public double recall() {
    return labelled == 0 ? 1 : (double) right / labelled;
  }

  /** The harmonic mean of both. */
  public double f1() {
    return labelled + grouped == 0 ? 1 : 2.0 * right / (labelled + grouped);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "P %.4f R %.4f F1 %.4f (%d pairs, %d found, %d right)", precision(), recall(), f1(), labelled, grouped, right);
  }

  /** Of a table with a header: column {@code key} to column {@code value}, of the rows whose column {@code except} has not the value given. */
  public static Map<String, String> column(List<String> lines, String key, String value, String except, String exceptValue) {
    List<String> names = List.of(lines.get(0).replaceFirst("^#", "").split("\t"));
    Map<String, String> column = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split("\t", -1);
      if (except == null || !fields[names.indexOf(except)].equals(exceptValue)) {
        column.put(fields[names.indexOf(key)], fields[names.indexOf(value)]);
      }
    }
    return column;
  }
}
