package io.ndc.spark.archive;

import java.util.ArrayList;
import java.util.List;

/**
 * "Name: value" lines, as WARC and HTTP headers have them, with a character a byte. A line that begins with a
 * space or a tab continues the one before, joined by one space; lines without a colon are ignored; CRLF and
 * LF both end lines. Names are compared without regard to case.
 */
final class HeaderFields {
  /** "\r\r\n", as some writers end lines; of more none is known. */
  static final int MOST_LINE_END_BYTES = 3;

  private static final int LIMIT = 100_000;

  private final List<String> names = new ArrayList<>();
  private final List<StringBuilder> values = new ArrayList<>();

  /**
   * Where a header that begins at the start of {@code bytes} ends: behind its empty line. −1: not among them.
   *
   * @param searchFrom no line ends before it
   */
  static int headerEnd(ByteRange bytes, int searchFrom) {
    for (int at = bytes.indexOf((byte) '\n', searchFrom); at >= 0; at = bytes.indexOf((byte) '\n', at + 1)) {
      int next = at + 1;
      while (next < bytes.size() && next < at + MOST_LINE_END_BYTES && bytes.at(next) == '\r')
        next++;
      if (next < bytes.size() && bytes.at(next) == '\n') return next + 1;
    }
    return -1;
  }

  /** Without the spaces, tabs and line ends at both ends. */
  static String trimmed(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && isBlankOrLineEnd(text.charAt(begin)))
      begin++;
    while (end > begin && isBlankOrLineEnd(text.charAt(end - 1)))
      end--;
    return text.substring(begin, end);
  }

  /**
   * A number of decimal digits only; −1 for anything else and beyond 64 bits. At most {@link Long#MAX_VALUE}.
   */
  static long decimal(String text) {
    boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits) return -1;
    try {
      long value = Long.parseUnsignedLong(text);
      return value < 0 ? Long.MAX_VALUE : value;
    } catch (NumberFormatException tooLarge) {
      return -1;
    }
  }

  /**
   * Reads the lines behind the version or status line.
   *
   * @param wanted the names to keep, as headers may be long
   * @throws UnreadableException if there are more than {@value #LIMIT} fields of these names
   */
  static HeaderFields parse(ByteRange lines, List<String> wanted) throws UnreadableException {
    HeaderFields fields = new HeaderFields();
    StringBuilder last = null;
    ByteRange rest = lines;
    while (!rest.isEmpty()) {
      int lineEnd = rest.indexOf((byte) '\n', 0);
      int size = lineEnd < 0 ? rest.size() : lineEnd + 1;
      String line = rest.first(size).latin1();
      rest = rest.from(size);
      String text = trimmed(line);
      if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
        if (last != null && !text.isEmpty()) last.append(' ').append(text);
        continue;
      }
      int colon = text.indexOf(':');
      String name = colon < 0 ? "" : wantedName(wanted, trimmed(text.substring(0, colon)));
      last = name.isEmpty() ? null : fields.add(name, trimmed(text.substring(colon + 1)));
    }
    return fields;
  }

  // The list's own string, as a header may have it many times; "" if it is not in the list.
  private static String wantedName(List<String> wanted, String name) {
    for (String one : wanted)
      if (one.equalsIgnoreCase(name)) return one;
    return "";
  }

  StringBuilder add(String name, String value) throws UnreadableException {
    if (names.size() == LIMIT) throw new UnreadableException("more than " + LIMIT + " header fields");
    StringBuilder kept = new StringBuilder(value);
    names.add(name);
    values.add(kept);
    return kept;
  }

  /** The first value of this name, trimmed; "" if there is none. */
  String find(String name) {
    for (int i = 0; i < names.size(); i++)
      if (names.get(i).equalsIgnoreCase(name)) return trimmed(values.get(i).toString());
    return "";
  }

  boolean has(String name) {
    return names.stream().anyMatch(name::equalsIgnoreCase);
  }

  /**
   * All values of this name joined by commas, which is what repeated list fields mean (RFC 9110, section
   * 5.3).
   */
  String join(String name) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      if (!names.get(i).equalsIgnoreCase(name)) continue;
      if (joined.length() > 0) joined.append(',');
      joined.append(values.get(i));
    }
    return joined.toString();
  }

  private static boolean isBlankOrLineEnd(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
