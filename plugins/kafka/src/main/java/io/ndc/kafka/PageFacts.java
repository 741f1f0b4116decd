package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.FeaturesInfo;
import io.ndc.Flag;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the steps need to know of a page besides its features.
 *
 * @param host whose model the page belongs to, as in the engine: its host in small letters without "www." in front,
 *     else its registrable domain; empty if it has neither
 */
record PageFacts(String url, String host, long textHash, long width, boolean hasText, boolean hasKeys,
    Set<Flag> flags, long fetchedAtMs) {
  private static final Pattern HOST = Pattern.compile("^[\\x00-\\x20]*(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\\\]{2}"
      + "(?:[^/\\\\?#]*@)?(\\[[^/\\\\?#\\]]*\\]|[^/\\\\?#:]*)");

  /** Distinguishes texts from keys of another kind. */
  private static final long TEXT_KEY = 0x9e3779b97f4a7c15L;

  /** Under which pages with equal text meet. */
  long textKey() {
    return textHash * TEXT_KEY;
  }

  static String host(String url, String site) {
    if (site.isEmpty()) return "";
    Matcher found = HOST.matcher(url);
    String host = found.find() ? found.group(1).toLowerCase(Locale.ROOT) : "";
    // By hand: of a host that is a megabyte of blanks a regular expression takes hours.
    int begin = host.startsWith("www.") && host.length() > "www.".length() ? "www.".length() : 0;
    int end = host.length();
    while (end > begin && host.charAt(end - 1) <= ' ')
      end--;
    if (end > begin && host.charAt(end - 1) == '.') end--;
    host = host.substring(begin, end).replace("\0", "");
    return host.isEmpty() ? site : host;
  }

  /**
   * Of features.
   *
   * @throws io.ndc.NearDuplicatesException if they are none, or damaged
   */
  static PageFacts of(byte[] features) {
    FeaturesInfo info = Features.info(features);
    return new PageFacts(info.url(), host(info.url(), info.site()), info.textHash(), info.textWidth(), info.hasText(),
        info.hasKeys(), info.flags(), info.fetchedAtMs());
  }
}
