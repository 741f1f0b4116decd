package io.ndc;

/** Which page of a group is kept when its copies are left out, as {@code ndc dedup --keep} has it. */
public enum Keep {
  /** The oldest; of copies that are given, the first. */
  FIRST,
  /** The one with most visible text. */
  LONGEST,
  /** The one fetched last; a time that is not known is older than all others. */
  NEWEST,
  /**
   * The one that most pages of the group name as their canonical URL, itself included; among these the one with the
   * shortest URL, in bytes.
   */
  CANONICAL;

  /** The number of the C interface. */
  int number() {
    return ordinal() + 1;
  }
}
