package io.ndc.spark.archive;

import java.util.regex.Pattern;

/** Text from files and file systems, made fit for messages. */
final class VisibleText {
  /** In characters. */
  static final int LIMIT = 200;

  private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private VisibleText() {}

  /**
   * The text with its control characters, format characters and lone surrogates as {@code \}{@code uXXXX},
   * cut to {@value #LIMIT} characters, the last of which are "..." then.
   *
   * @param text null: "null"
   */
  static String of(String text) {
    String visible = INVISIBLE.matcher(String.valueOf(text))
        .replaceAll(found -> String.format("\\\\u%04X", found.group().codePointAt(0)));
    if (visible.length() <= LIMIT) return visible;
    int end = LIMIT - 3;
    if (Character.isHighSurrogate(visible.charAt(end - 1))) end--;
    return visible.substring(0, end) + "...";
  }
}
