package io.ndc.kafka;

import io.ndc.Flag;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
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
record PageFacts(String url, String host, long textHash, long width, boolean hasText, Set<Flag> flags,
    long fetchedAtMs) {
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
    host = host.replaceAll("^www\\.(?=.)|\\.?[\\x00-\\x20]*$", "").replace("\0", "");
    return host.isEmpty() ? site : host;
  }

  static PageFacts of(byte[] features) {
    io.ndc.Features.parts(features);
    ByteBuffer in = ByteBuffer.wrap(features).order(ByteOrder.LITTLE_ENDIAN);
    long url = 152 + 16L * in.getInt(88) + 8L * in.getInt(96) + 8L * in.getInt(136) + 16L * in.getInt(140)
        + 24L * in.getInt(120) + 8L * in.getInt(148) + 4L * (in.getInt(100) + in.getInt(144));
    String text = new String(features, (int) url, in.getInt(104), StandardCharsets.UTF_8);
    String site = new String(features, (int) url + in.getInt(104), in.getInt(108), StandardCharsets.UTF_8);
    int bits = in.getInt(124);
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    if ((bits & 1) != 0) flags.add(Flag.TRUNCATED);
    if ((bits & 2) != 0) flags.add(Flag.LIMIT);
    return new PageFacts(text, host(text, site), in.getLong(48), in.getLong(72), (bits & 4) == 0, flags,
        in.getLong(64));
  }
}
