package io.ndc.heritrix;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Patterns of host names: a name, in which {@code *} stands for any characters, also none. Case does not matter.
 * Immutable.
 */
final class HostPatterns {
  /** A name in DNS has 253 characters at most; a longer one is no host, and matches nothing. */
  private static final int HOST_LENGTH_MAX = 255;

  private final List<String> globs;

  /**
   * Takes the patterns.
   *
   * @param globs not null, without null
   * @throws IllegalArgumentException a pattern that no host name can match: empty, or with a scheme, port, path or
   *     white space
   */
  HostPatterns(List<String> globs) {
    this.globs = globs.stream().map(HostPatterns::checked).toList();
  }

  /** The patterns as they were given, in lower case and trimmed. */
  List<String> globs() {
    return globs;
  }

  /** Whether the host matches one of the patterns; null matches none, nor does what is too long for a host. */
  boolean matches(String host) {
    if (host == null || host.length() > HOST_LENGTH_MAX) {
      return false;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    return globs.stream().anyMatch(glob -> matches(glob, lower));
  }

  private static String checked(String glob) {
    String trimmed = Objects.requireNonNull(glob, "a host pattern is null").trim().toLowerCase(Locale.ROOT);
    if (!trimmed.matches("[^\\s/:]+|\\[[^\\s/]+]")) {
      throw new IllegalArgumentException(
          "\"" + glob + "\" is no pattern of host names; give names such as example.org or *.example.org, "
          + "without scheme, port and path");
    }
    return trimmed;
  }

  /**
   * Each star takes as little as it can. When what follows does not fit, the last star takes a character more; those
   * before it need not, so that the time is at most the product of both lengths.
   */
  private static boolean matches(String glob, String host) {
    int at = 0;
    int star = -1;
    int starEnd = 0;
    int next = 0;
    while (next < host.length()) {
      if (at < glob.length() && glob.charAt(at) == '*') {
        star = at++;
        starEnd = next;
      } else if (at < glob.length() && glob.charAt(at) == host.charAt(next)) {
        at++;
        next++;
      } else if (star >= 0) {
        at = star + 1;
        next = ++starEnd;
      } else {
        return false;
      }
    }
    while (at < glob.length() && glob.charAt(at) == '*') {
      at++;
    }
    return at == glob.length();
  }
}
