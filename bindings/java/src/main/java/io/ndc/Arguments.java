package io.ndc;

import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks what callers pass; a null is an {@link InvalidArgumentException} like any other wrong value. */
final class Arguments {
  private Arguments() {}

  static <T> T notNull(@Nullable T value, String what) {
    if (value == null) throw new InvalidArgumentException(what + " is null");
    return value;
  }

  /** Says too what to call {@code instead}, where null may mean something. */
  static <T> T notNull(@Nullable T value, String what, String instead) {
    if (value == null) throw new InvalidArgumentException(what + " is null: " + instead);
    return value;
  }

  static void notEmpty(@Nullable String value, String what) {
    if (notNull(value, what).isEmpty()) throw new InvalidArgumentException(what + " is empty");
  }

  static long milliseconds(@Nullable Instant time, String what) {
    try {
      return notNull(time, what).toEpochMilli();
    } catch (ArithmeticException outOfRange) {
      throw new InvalidArgumentException(what + " is " + time + ", which no long holds in milliseconds", outOfRange);
    }
  }

  /** For what C reads up to the first NUL. */
  static byte[] withoutNul(@Nullable String value, String what) {
    if (notNull(value, what).indexOf('\0') >= 0)
      throw new InvalidArgumentException(what + " has a NUL character in it");
    return Utf8.encode(value);
  }

  /** Key, value, key, value; null where there is none. */
  static byte[] @Nullable [] options(@Nullable Map<String, String> options) {
    return options == null || options.isEmpty() ? null : keysAndValues(options).toArray(byte[][]::new);
  }

  /**
   * As {@link #options}, with {@code mmap=false} before them, so that one of them may say otherwise: a fault of a
   * mapped file would be the end of the JVM.
   */
  static byte[][] storeOptions(@Nullable Map<String, String> options) {
    Stream<byte[]> unmapped = keysAndValues(Map.of("mmap", "false"));
    return (options == null ? unmapped : Stream.concat(unmapped, keysAndValues(options))).toArray(byte[][]::new);
  }

  private static Stream<byte[]> keysAndValues(Map<String, String> options) {
    // The map may be changed by another thread meanwhile, so its size is not relied on.
    return options.entrySet().stream()
        .flatMap(option -> {
          byte[] key = withoutNul(option.getKey(), "the key of an option");
          return Stream.of(key, withoutNul(option.getValue(), "the value of option " + option.getKey()));
        });
  }
}
