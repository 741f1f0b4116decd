package io.ndc.spark.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which records cannot be pages by what is declared of them, as the command line has it (tools/ndc/media_type.hpp):
 * style sheets, scripts, images and the like, and what archiving tools note. What the bytes show beyond that is the
 * library's to tell.
 */
final class PageTypes {
  // "token/token" of RFC 9110, but no range of types; anything else declares nothing.
  private static final Pattern MEDIA_TYPE = Pattern.compile("[\\w!#$%&'+.^`|~-]+/[\\w!#$%&'+.^`|~-]+");
  private static final Set<String> PAGES = Set.of("text/html", "application/xhtml+xml",
      "application/vnd.wap.xhtml+xml", "text/plain", "text/markdown", "text/xml", "application/xml");
  private static final Set<String> MEANINGLESS = Set.of("application/octet-stream", "binary/octet-stream",
      "application/x-unknown", "content/unknown", "application/unknown", "unknown/unknown");
  private static final List<String> NOTES = List.of("metadata:", "filedesc:", "urn:pageinfo:", "urn:text:",
      "urn:text-final:", "urn:view:", "urn:thumbnail:", "urn:fullpage:", "urn:X-wpull:", "dns:", "whois:");

  private PageTypes() {}

  /** The last media type of a header, but one that may be a page before one that is none; "" if it names none. */
  static String declared(String contentType) {
    String declared = "";
    for (String value : values(contentType)) {
      int end = value.indexOf(';');
      String type = HeaderFields.trimmed(end < 0 ? value : value.substring(0, end)).toLowerCase(Locale.ROOT);
      if (MEDIA_TYPE.matcher(type).matches() && (isPage(type) || !isPage(declared))) declared = type;
    }
    return declared;
  }

  /** Whether the bytes may be looked at. */
  static boolean mayBePage(String contentType) {
    String type = declared(contentType);
    return type.isEmpty() || isPage(type) || MEANINGLESS.contains(type);
  }

  static boolean isNote(String url) {
    return NOTES.stream().anyMatch(note -> url.regionMatches(true, 0, note, 0, note.length()));
  }

  private static boolean isPage(String type) {
    return PAGES.contains(type) || type.endsWith("+xml");
  }

  // A comma within quotes separates nothing.
  private static List<String> values(String header) {
    List<String> values = new ArrayList<>();
    boolean quoted = false;
    int begin = 0;
    for (int at = 0; at < header.length(); at++) {
      char c = header.charAt(at);
      if (c == '"') quoted = !quoted;
      if (c == '\\' && quoted) at++;
      if (c != ',' || quoted) continue;
      values.add(header.substring(begin, at));
      begin = at + 1;
    }
    values.add(header.substring(begin));
    return values;
  }
}
