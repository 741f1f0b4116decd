package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class PeekingIteratorTest {
  private static PeekingIterator<String> of(String... words) {
    return new PeekingIterator<>(List.of(words).iterator());
  }

  @Test
  void whatIsSeenComesNext() {
    PeekingIterator<String> words = of("a", "b");
    assertEquals("a", words.peek());
    assertEquals("a", words.peek());
    assertEquals("a", words.next());
    assertEquals("b", words.peek());
  }

  @Test
  void allElementsComeInTheirOrder() {
    List<String> taken = new ArrayList<>();
    of("a", "b", "c").forEachRemaining(taken::add);
    assertEquals(List.of("a", "b", "c"), taken);
  }

  @Test
  void nothingIsBehindTheLast() {
    PeekingIterator<String> words = of("a");
    words.next();
    assertNull(words.peek());
    assertFalse(words.hasNext());
    assertThrows(NoSuchElementException.class, words::next);
    assertNull(of().peek());
  }
}
