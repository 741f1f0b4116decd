package io.ndc.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.spark.sql.Row;

/**
 * The rows that a function makes of what an iterator gives, without those of which it makes none. Holds one row. An
 * input is taken when its row is asked for, so that a task reads no further than it has to.
 *
 * @param <T> what the rows are made of
 */
final class PresentRows<T> implements Iterator<Row> {
  private final Iterator<? extends T> inputs;
  /** Null: no row. */
  private final Function<? super T, Row> row;
  private Row next;

  PresentRows(Iterator<? extends T> inputs, Function<? super T, Row> row) {
    this.inputs = inputs;
    this.row = row;
  }

  @Override
  public boolean hasNext() {
    while (next == null && inputs.hasNext())
      next = row.apply(inputs.next());
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
