package io.ndc;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.Function;

/**
 * The key of an option, with the type of its values; {@link Options} has all that are stable.
 *
 * @param <T> {@link Long}, {@link Double}, {@link Boolean} or the enum of its choices
 */
public final class OptionKey<T> {
  private final String key;
  private final Class<T> type;
  private final Function<String, T> read;
  private final T defaultValue;
  private final String range;
  private final boolean persistent;

  private OptionKey(
      String key, Class<T> type, Function<String, T> read, String defaultText, String range, boolean persistent) {
    this.key = key;
    this.type = type;
    this.read = read;
    this.defaultValue = read.apply(defaultText);
    this.range = range;
    this.persistent = persistent;
  }

  static OptionKey<Long> integer(String key, String defaultText, String range, boolean persistent) {
    return new OptionKey<>(key, Long.class, Long::valueOf, defaultText, range, persistent);
  }

  static OptionKey<Double> number(String key, String defaultText, String range, boolean persistent) {
    return new OptionKey<>(key, Double.class, Double::valueOf, defaultText, range, persistent);
  }

  static OptionKey<Boolean> bool(String key, String defaultText, String range, boolean persistent) {
    return new OptionKey<>(key, Boolean.class, OptionKey::readBoolean, defaultText, range, persistent);
  }

  static <E extends Enum<E>> OptionKey<E> choice(Class<E> type, String key, String defaultText, boolean persistent) {
    E[] choices = type.getEnumConstants();
    Function<String, E> read = text
        -> Arrays.stream(choices)
               .filter(choice -> choice.toString().equals(text))
               .findFirst()
               .orElseThrow(() -> new IllegalArgumentException(text));
    String range = String.join("|", Arrays.stream(choices).map(Enum::toString).toList());
    return new OptionKey<>(key, type, read, defaultText, range, persistent);
  }

  private static Boolean readBoolean(String text) {
    return switch (text) {
      case "true", "on" -> true;
      case "false", "off" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  /**
   * What the library calls the option.
   *
   * @return as in {@code memory_budget_bytes}
   */
  public String key() {
    return key;
  }

  /**
   * The type of its values.
   *
   * @return the class of {@code T}
   */
  public Class<T> type() {
    return type;
  }

  /**
   * What the library takes where nothing is said.
   *
   * @return the default
   */
  public T defaultValue() {
    return defaultValue;
  }

  /**
   * What is allowed.
   *
   * @return for people, as {@code ndc options} has it: {@code 0..1000}, {@code true|false}
   */
  public String range() {
    return range;
  }

  /**
   * Whether a store keeps the value that it was made with, and refuses others.
   *
   * @return true for parameters of the algorithm
   */
  public boolean isPersistent() {
    return persistent;
  }

  /** A value as the library reads it: numbers without an exponent. */
  String text(T value) {
    if (!(value instanceof Double number)) return value.toString();
    if (!Double.isFinite(number)) throw new InvalidArgumentException("option " + key + " is " + number + ", no number");
    return new BigDecimal(number.toString()).toPlainString();
  }

  /** The value of a text as a map has it. */
  T value(String text) {
    try {
      return read.apply(text);
    } catch (IllegalArgumentException wrong) {
      throw new InvalidArgumentException("option " + key + " is \"" + text + "\", but " + range + " is allowed", wrong);
    }
  }

  /** The key. */
  @Override
  public String toString() {
    return key;
  }
}
