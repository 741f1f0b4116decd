package io.ndc;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Pages for tests: the same number is the same page, another number another text. */
final class Texts {
  private static final String[] SYLLABLES = {"ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "wa", "den", "gor",
      "hil", "jas", "kun", "mer", "nol", "pir", "sut", "zan"};

  private Texts() {}

  static byte[] page(int number, String... more) {
    return html(number, 120, more).getBytes(StandardCharsets.UTF_8);
  }

  /** Of about {@code bytes} bytes. */
  static byte[] largePage(int number, int bytes) {
    return html(number, bytes / 7, new String[0]).getBytes(StandardCharsets.UTF_8);
  }

  /** Words of their own number, to stand in several pages. */
  static String sentences(int number, int words) {
    Random random = new Random(number * 7907L + 19);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; ++i) {
      text.append(word(random)).append(i % 12 == 11 ? ". " : " ");
    }
    return text.toString();
  }

  private static String html(int number, int words, String[] more) {
    Random random = new Random(number * 7919L + 17);
    StringBuilder html =
        new StringBuilder("<!DOCTYPE html><html><head><title>" + word(random) + "</title></head><body>\n<p>");
    for (int i = 0; i < words; ++i) {
      html.append(word(random));
      if (i % 60 == 59) html.append(".</p>\n<p>");
      else html.append(i % 12 == 11 ? ". " : " ");
    }
    for (String sentence : more) {
      html.append(sentence).append(' ');
    }
    return html.append("</p></body></html>").toString();
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int i = 2 + random.nextInt(2); i > 0; --i) {
      word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
    }
    return word.toString();
  }
}
