package io.ndc;

/** The relation of a page to the pages before it. */
public enum Verdict {
  /** It founds a group of its own. */
  NEW,
  /** The same URL with the same text as before. */
  UNCHANGED,
  /**
   * All its normalised visible text equals that of a page of the group; never said of a page that is known only in
   * part.
   */
  EXACT,
  /** It was verified against the group's representative by a longest common subsequence. */
  NEAR,
  /** Empty, an image, a PDF, binary: a group of its own, never a candidate. */
  NO_TEXT;

  private static final Verdict[] VALUES = values();

  /** From the number of the C interface. */
  static Verdict of(long number) {
    if (number < 1 || number > VALUES.length)
      throw new InternalException("the library gave the unknown verdict " + number);
    return VALUES[(int) number - 1];
  }
}
