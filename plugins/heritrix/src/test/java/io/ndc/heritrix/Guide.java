package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.archive.crawler.framework.Engine;

/**
 * The configuration that docs/guide-heritrix.md tells to write, made from Heritrix's own profile and the guide's own
 * text.
 */
final class Guide {
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- heritrix: (before|after) (\\S.*?) -->\n```\\w*\n(.*?)```\n", Pattern.DOTALL);
  /** The comment that the profile has at the end of its property list of overrides. */
  private static final String MORE_OVERRIDES = "##..more?..##";

  private Guide() {}

  /** The stock profile, out of the jar of the engine. */
  static String stockProfile() throws IOException {
    try (InputStream in = Engine.class.getResourceAsStream("/org/archive/crawler/restlet/profile-crawler-beans.cxml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String text() throws IOException {
    return Files.readString(Path.of(System.getProperty("ndc.source.directory"), "docs", "guide-heritrix.md"));
  }

  /** A snippet that the guide offers besides, by its name there. */
  static String variant(String name) throws IOException {
    Matcher snippet = Pattern.compile("<!-- heritrix, variant: " + name + " -->\n```\\w*\n(.*?)```\n", Pattern.DOTALL)
                          .matcher(text());
    assertTrue(snippet.find(), "the guide has the variant " + name);
    return snippet.group(1);
  }

  /** The stock profile with the changes of the guide. */
  static String profile() throws IOException {
    String guide = text();
    String beans = stockProfile();
    List<String> places = new ArrayList<>();
    Matcher snippets = SNIPPET.matcher(guide);
    while (snippets.find()) {
      String anchor = snippets.group(2);
      boolean before = snippets.group(1).equals("before");
      places.add(anchor);
      beans = replaceOnce(beans, anchor, before ? snippets.group(3) + anchor : anchor + "\n" + snippets.group(3));
    }
    assertTrue(places.size() == 4, "the guide has its four changes, found: " + places);
    return beans;
  }

  /** With further lines in the property list of overrides. */
  static String withOverrides(String beans, List<String> lines) {
    return replaceOnce(beans, MORE_OVERRIDES, String.join("\n", lines) + "\n" + MORE_OVERRIDES);
  }

  /** Replaces text that occurs exactly once. */
  static String replaceOnce(String text, String from, String to) {
    int at = text.indexOf(from);
    assertTrue(at >= 0 && text.indexOf(from, at + 1) < 0, "stands exactly once in the configuration: " + from);
    return text.substring(0, at) + to + text.substring(at + from.length());
  }
}
