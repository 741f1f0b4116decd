package io.ndc.crawler;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Patterns of host names: a name, in which {@code *} matches any characters, also none, or a regular expression
 * between two slashes. Letters match in either case. Regular expressions are applied to hosts of at most
 * {@value #HOST_LIMIT} characters, which is what DNS allows; longer ones they do not match. Immutable.
 */
public final class HostPatterns {
  /** No pattern: no host matches. */
  public static final HostPatterns NONE = of(List.of());

  private static final int HOST_LIMIT = 253;
  private static final Pattern GLOB = Pattern.compile("[^\\s/:]+|\\[[^\\s/]+]");

  private final List<HostPattern> patterns;

  private HostPatterns(List<HostPattern> patterns) {
    this.patterns = List.copyOf(patterns);
  }

  /** One pattern, as written and in compiled form. */
  private record HostPattern(String text, Predicate<String> predicate) {
    static HostPattern of(String given) {
      String text = normalized(given);
      return new HostPattern(text, HostPatterns.predicate(text));
    }
  }

  /**
   * Takes patterns one by one; white space around them does not count.
   *
   * @param patterns any number
   * @return the patterns, all of them
   * @throws IllegalArgumentException a pattern that no host name can match: empty, with a scheme, port, path or white
   *     space, or an expression that is none
   */
  public static HostPatterns of(List<String> patterns) {
    return new HostPatterns(patterns.stream().map(HostPattern::of).toList());
  }

  /**
   * Reads patterns that commas or white space separate. An expression reaches up to the next slash that a separator or
   * the end follows; commas and blanks may be in it.
   *
   * @param text null and "": no pattern
   * @param errors takes a sentence for each pattern that {@link #of} would refuse; it matches nothing, the others hold
   * @return those that are patterns
   */
  public static HostPatterns read(@Nullable String text, Consumer<String> errors) {
    String all = text == null ? "" : text;
    List<HostPattern> read = new ArrayList<>();
    int begin = 0;
    while (begin < all.length()) {
      if (separates(all, begin)) {
        begin++;
        continue;
      }
      int end = all.charAt(begin) == '/' ? expressionEnd(all, begin) : begin;
      while (!separates(all, end)) {
        end++;
      }
      try {
        read.add(HostPattern.of(all.substring(begin, end)));
      } catch (IllegalArgumentException e) {
        errors.accept(e.getMessage());
      }
      begin = end;
    }
    return new HostPatterns(read);
  }

  /**
   * The patterns, trimmed; names are in lower case.
   *
   * @return in the order in which they were given
   */
  public List<String> patterns() {
    return patterns.stream().map(HostPattern::text).toList();
  }

  /**
   * Whether a host matches one of the patterns.
   *
   * @param host null matches none
   * @return whether it does
   */
  public boolean matches(@Nullable String host) {
    if (host == null || patterns.isEmpty()) {
      return false;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    return patterns.stream().anyMatch(pattern -> pattern.predicate().test(lower));
  }

  /**
   * Whether the host of a URL matches one of the patterns.
   *
   * @param url may be none: its host is ""
   * @return whether it does
   */
  public boolean matchesUrl(String url) {
    return !patterns.isEmpty() && matches(hostOf(url));
  }

  /**
   * The host of a URL.
   *
   * @param url may be none
   * @return in lower case, "" if there is none
   */
  public static String hostOf(String url) {
    int start = url.indexOf("://");
    if (start < 0) {
      return "";
    }
    start += 3;
    int end = start;
    while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    String authority = url.substring(start, end);
    authority = authority.substring(authority.lastIndexOf('@') + 1);
    int port = authority.lastIndexOf(':');
    if (port > authority.lastIndexOf(']')) {
      authority = authority.substring(0, port);
    }
    return authority.toLowerCase(Locale.ROOT);
  }

  private static boolean separates(String text, int place) {
    return place >= text.length() || text.charAt(place) == ',' || Character.isWhitespace(text.charAt(place));
  }

  // Behind the slash that ends the expression; behind the first, if none does.
  private static int expressionEnd(String text, int begin) {
    for (int i = begin + 1; i < text.length(); i++) {
      if (text.charAt(i) == '/' && separates(text, i + 1)) {
        return i + 1;
      }
    }
    return begin + 1;
  }

  // The case of an expression stays: \S is not \s.
  private static String normalized(String pattern) {
    String trimmed = pattern.strip();
    return trimmed.startsWith("/") ? trimmed : trimmed.toLowerCase(Locale.ROOT);
  }

  private static Predicate<String> predicate(String pattern) {
    if (!pattern.startsWith("/")) {
      if (!GLOB.matcher(pattern).matches()) {
        throw new IllegalArgumentException("'" + pattern + "' is no pattern of host names; give names such as"
            + " example.org or *.example.org, without scheme, port and path");
      }
      return host -> globMatches(pattern, host);
    }
    if (pattern.length() < 3 || !pattern.endsWith("/")) {
      throw new IllegalArgumentException(
          "'" + pattern + "' is no pattern of host names: a regular expression stands between two slashes");
    }
    try {
      Pattern expression = Pattern.compile(pattern.substring(1, pattern.length() - 1), Pattern.CASE_INSENSITIVE);
      return host -> host.length() <= HOST_LIMIT && expression.matcher(host).matches();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("'" + pattern + "' is no regular expression: " + e.getDescription(), e);
    }
  }

  // When what follows does not fit, the last star takes a character more; those before it need not, so that the time is
  // at most the product of both lengths.
  private static boolean globMatches(String glob, String host) {
    int place = 0;
    int star = -1;
    int resumed = 0;
    for (int i = 0; i < host.length();) {
      if (place < glob.length() && glob.charAt(place) == '*') {
        star = place++;
        resumed = i;
      } else if (place < glob.length() && glob.charAt(place) == host.charAt(i)) {
        place++;
        i++;
      } else if (star >= 0) {
        place = star + 1;
        i = ++resumed;
      } else {
        return false;
      }
    }
    while (place < glob.length() && glob.charAt(place) == '*') {
      place++;
    }
    return place == glob.length();
  }
}
