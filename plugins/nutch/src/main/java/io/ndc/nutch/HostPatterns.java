package io.ndc.nutch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts for which near-duplicates are switched off (property {@code nd.exclude.hosts}): patterns separated by commas or white space, in which
 * {@code *} stands for any characters; between two slashes stands a regular expression. Letters match in either case. A pattern that cannot be
 * read is told to the log and matches nothing.
 */
final class HostPatterns {
  private static final Logger LOG = LoggerFactory.getLogger(HostPatterns.class);

  private final List<Pattern> patterns = new ArrayList<>();

  /** @param text null and "": no host */
  HostPatterns(String text) {
    for (String pattern : (text == null ? "" : text).strip().split("[,\\s]+")) {
      if (pattern.isEmpty()) {
        continue;
      }
      try {
        patterns.add(Pattern.compile(expression(pattern), Pattern.CASE_INSENSITIVE));
      } catch (PatternSyntaxException e) {
        LOG.error("nd.exclude.hosts: '{}' is no regular expression and excludes nothing: {}", pattern, e.getMessage());
      }
    }
  }

  /** Whether the host of {@code url} is among them; a URL without a host is not. */
  boolean matches(String url) {
    if (patterns.isEmpty()) {
      return false;
    }
    String host = host(url);
    return patterns.stream().anyMatch(pattern -> pattern.matcher(host).matches());
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

  private static String expression(String pattern) {
    if (pattern.length() > 1 && pattern.startsWith("/") && pattern.endsWith("/")) {
      return pattern.substring(1, pattern.length() - 1);
    }
    StringBuilder expression = new StringBuilder();
    for (String literal : pattern.split("\\*", -1)) {
      expression.append(expression.isEmpty() ? "" : ".*").append(Pattern.quote(literal));
    }
    return expression.toString();
  }
}
