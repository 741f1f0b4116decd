package io.ndc.stormcrawler;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts for which near-duplicates are switched off ({@code nd.exclude.hosts} in the configuration): patterns separated
 * by commas or white space, in which {@code *} stands for any characters. A pattern that begins with a slash is a
 * regular expression, up to the next slash that a separator or the end follows; commas and blanks may be in it. Letters
 * match in either case. Regular expressions are asked about hosts of at most {@value #HOST_LIMIT} characters, which is
 * what DNS allows; longer ones they do not match.
 *
 * <p>A pattern that cannot be read is an error, which is logged; it matches nothing, the others hold.
 */
final class HostPatterns {
  private static final Logger LOG = LoggerFactory.getLogger(HostPatterns.class);
  private static final int HOST_LIMIT = 253;

  private final List<Predicate<String>> patterns = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  /** @param text null and "": no host */
  HostPatterns(String text) {
    String all = text == null ? "" : text;
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
      add(all.substring(begin, end));
      begin = end;
    }
    errors.forEach(LOG::error);
  }

  /** What could not be read, a sentence each. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Whether the host of {@code url} is among them; a URL without a host is not. */
  boolean matches(String url) {
    if (patterns.isEmpty()) {
      return false;
    }
    String host = host(url);
    return patterns.stream().anyMatch(pattern -> pattern.test(host));
  }

  /** The host of {@code url} in lower case, "" if it has none. */
  static String host(String url) {
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

  private void add(String pattern) {
    if (!pattern.startsWith("/")) {
      String glob = pattern.toLowerCase(Locale.ROOT);
      patterns.add(host -> globMatches(glob, host));
      return;
    }
    if (pattern.length() < 3 || !pattern.endsWith("/")) {
      errors.add("nd.exclude.hosts: '" + pattern + "' excludes nothing: a regular expression"
          + " stands between two slashes");
      return;
    }
    try {
      Pattern expression = Pattern.compile(pattern.substring(1, pattern.length() - 1), Pattern.CASE_INSENSITIVE);
      patterns.add(host -> host.length() <= HOST_LIMIT && expression.matcher(host).matches());
    } catch (PatternSyntaxException e) {
      errors.add("nd.exclude.hosts: '" + pattern + "' is no regular expression and excludes nothing: "
          + e.getDescription());
    }
  }

  // Only the last star can need another try, so the time is at most the product of both lengths.
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
