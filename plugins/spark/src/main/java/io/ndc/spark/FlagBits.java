package io.ndc.spark;

import io.ndc.Flag;

/** Flags as the bits of the C interface ({@code ND_FLAG_…}), whose order {@link Flag} has. */
final class FlagBits {
  private FlagBits() {}

  static int of(Flag flag) {
    return 1 << flag.ordinal();
  }

  static int of(Iterable<Flag> flags) {
    int bits = 0;
    for (Flag flag : flags)
      bits |= of(flag);
    return bits;
  }
}
