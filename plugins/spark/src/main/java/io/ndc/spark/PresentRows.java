package io.ndc.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.sql.Row;

/** The rows that a function gives until it gives null. Holds one row, which is made when it is asked for. */
final class PresentRows implements Iterator<Row> {
  private final Supplier<Row> rows;
  private Row next;

  PresentRows(Supplier<Row> rows) {
    this.rows = rows;
  }

  /**
   * The rows that a function makes of inputs, without those of which it makes null. An input is taken when its row is
   * asked for, so that a task reads no further than it has to.
   */
  static <T> PresentRows of(Iterator<T> inputs, Function<T, Row> row) {
    return new PresentRows(() -> {
      Row made = null;
      while (made == null && inputs.hasNext())
        made = row.apply(inputs.next());
      return made;
    });
  }

  @Override
  public boolean hasNext() {
    if (next == null) next = rows.get();
    return next != null;
  }

  @Override
  public Row next() {
    if (!hasNext()) throw new NoSuchElementException();
    Row present = next;
    next = null;
    return present;
  }
}
