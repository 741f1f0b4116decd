package io.ndc.spark.archive;

/** Text from files and file systems, made fit for messages. */
final class VisibleText {
  /** In characters. */
  static final int LIMIT = 200;

  private VisibleText() {}

  /**
   * The text with its control characters, format characters and lone surrogates as {@code \}{@code uXXXX},
   * cut to {@value #LIMIT} characters, the last of which are "..." then.
   *
   * @param text null: "null"
   */
  static String of(String text) {
    String given = String.valueOf(text);
    StringBuilder visible = new StringBuilder();
    for (int at = 0; at < given.length() && visible.length() <= LIMIT; ) {
      int point = given.codePointAt(at);
      if (isVisible(point)) {
        visible.appendCodePoint(point);
      } else {
        visible.append(String.format("\\u%04X", point));
      }
      at += Character.charCount(point);
    }
    if (visible.length() <= LIMIT) return visible.toString();
    int end = LIMIT - 3;
    if (Character.isHighSurrogate(visible.charAt(end - 1))) end--;
    return visible.substring(0, end) + "...";
  }

  private static boolean isVisible(int point) {
    switch (Character.getType(point)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.SURROGATE:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
        return false;
      default:
        return true;
    }
  }
}
