package io.ndc.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.array_compact;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.ndc.Flag;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.Column;

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

  /** The names of the flags, in lower case, in the order of their bits. */
  static Column words(Column bits) {
    return array_compact(array(Arrays.stream(Flag.values())
        .map(flag -> when(bits.bitwiseAND(of(flag)).notEqual(0), lit(flag.name().toLowerCase(Locale.ROOT))))
        .toArray(Column[]::new)));
  }
}
