package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

/** An iterator over inputs of which some give no row. */
class PresentRowsTest {
  private final List<Integer> asked = new ArrayList<>();

  private Iterator<Row> even(Integer... numbers) {
    return PresentRows.of(List.of(numbers).iterator(), number -> {
      asked.add(number);
      return number % 2 == 0 ? RowFactory.create(number) : null;
    });
  }

  @Test
  void whatGivesNoRowIsPassedOver() {
    List<Integer> rows = new ArrayList<>();
    even(1, 2, 3, 5, 6, 7).forEachRemaining(row -> rows.add(row.getInt(0)));
    assertEquals(List.of(2, 6), rows);
  }

  @Test
  void eachInputIsAskedOnceAndNoneBeforeItIsNeeded() {
    Iterator<Row> rows = even(1, 2, 4);
    assertEquals(List.of(), asked);
    rows.hasNext();
    rows.hasNext();
    assertEquals(List.of(1, 2), asked);
    rows.next();
    assertEquals(List.of(1, 2), asked);
    assertEquals(4, rows.next().getInt(0));
    assertEquals(List.of(1, 2, 4), asked);
  }

  @Test
  void nothingIsBehindTheLastRow() {
    Iterator<Row> rows = even(2, 3);
    rows.next();
    assertFalse(rows.hasNext());
    assertThrows(NoSuchElementException.class, rows::next);
    assertThrows(NoSuchElementException.class, even()::next);
  }
}
