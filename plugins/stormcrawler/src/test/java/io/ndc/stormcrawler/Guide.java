package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of docs/guide-stormcrawler.md. */
final class Guide {
  private Guide() {}

  /** The block of a language behind the comment that names it. */
  static String block(String language, String name) throws IOException {
    String guide = Files.readString(Path.of(System.getProperty("ndc.source.directory"), "docs/guide-stormcrawler.md"));
    Matcher block = Pattern
                        .compile("<!-- stormcrawler: " + Pattern.quote(name) + " -->\n```" + language + "\n(.*?)```\n",
                            Pattern.DOTALL)
                        .matcher(guide);
    assertTrue(block.find(), "the guide has the block " + name);
    return block.group(1);
  }
}
