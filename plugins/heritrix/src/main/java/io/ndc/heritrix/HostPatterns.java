package io.ndc.heritrix;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Patterns of host names: a name, in which {@code *} stands for any characters, also none. Case does not matter. Immutable. */
final class HostPatterns {
  private final List<String> globs;
  private final Pattern pattern;

  /**
   * Compiles the patterns.
   *
   * @param globs not null, without null
   * @throws IllegalArgumentException a pattern that no host name can match: empty, or with a scheme, port, path or white space
   */
  HostPatterns(List<String> globs) {
    this.globs = globs.stream().map(HostPatterns::checked).toList();
    this.pattern = Pattern.compile(this.globs.stream().map(HostPatterns::regex).collect(Collectors.joining("|")));
  }

  /** The patterns as they were given, in lower case and trimmed. */
  List<String> globs() {
    return globs;
  }

  /** Whether the host matches one of the patterns; null matches none. */
  boolean matches(String host) {
    return host != null && !globs.isEmpty() && pattern.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }

  private static String checked(String glob) {
    String trimmed = Objects.requireNonNull(glob, "a host pattern is null").trim().toLowerCase(Locale.ROOT);
    if (!trimmed.matches("[^\\s/:]+|\\[[^\\s/]+]")) {
      throw new IllegalArgumentException(
          "\"" + glob + "\" is no pattern of host names; give names such as example.org or *.example.org, without scheme, port and path");
    }
    return trimmed;
  }

  private static String regex(String glob) {
    return Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
  }
}
