package io.ndc;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** More about a page or its verdict. The order is that of the bits of the C interface. */
public enum Flag {
  /** The URL was known. */
  RECRAWL,
  /** And its text differs from the last time. */
  CHANGED,
  /** The page moved to another group. */
  REGROUPED,
  /** The body was cut, by the fetcher or by option {@code page_bytes_limit}; two such pages are never duplicates. */
  TRUNCATED,
  /** Some work was cut by a limit; {@link Statistics} say which. */
  LIMIT,
  /** Less main content than 140: the page's keys come from all of its text. */
  SHORT,
  /** The page contains the matched page and much more: leaving it out would lose text. */
  CONTAINS,
  /** The matched page contains the page and much more. */
  CONTAINED,
  /** Near by the score of option {@code detector} alone. */
  UNVERIFIED,
  /** Near with little text, of which a word may make another document, and not probable enough: keep the page. */
  UNCERTAIN;

  private static final Flag[] VALUES = values();

  /** From the bits of the C interface; bits that this version does not know are left out. */
  static Set<Flag> of(long bits) {
    if (bits == 0) return Set.of();
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    for (Flag flag : VALUES) {
      if ((bits & 1L << flag.ordinal()) != 0) flags.add(flag);
    }
    return Collections.unmodifiableSet(flags);
  }
}
