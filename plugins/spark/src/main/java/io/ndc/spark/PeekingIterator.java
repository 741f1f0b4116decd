package io.ndc.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * An iterator that tells what comes next before it is taken, for those who have to know where a run of equals ends.
 * Holds one element, and reads it from the beginning on.
 *
 * @param <T> the elements, none of them null
 */
final class PeekingIterator<T> implements Iterator<T> {
  private final Iterator<? extends T> elements;
  private T ahead;

  PeekingIterator(Iterator<? extends T> elements) {
    this.elements = elements;
    advance();
  }

  /** What {@link #next} will give; null at the end. */
  T peek() {
    return ahead;
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public T next() {
    if (ahead == null) throw new NoSuchElementException();
    T taken = ahead;
    advance();
    return taken;
  }

  private void advance() {
    ahead = elements.hasNext() ? elements.next() : null;
  }
}
