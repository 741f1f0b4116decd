package io.ndc.stormcrawler;

import java.util.Random;

/** Pages of made-up words. */
final class Texts {
  private Texts() {}

  /** An article: the same number gives the same text. */
  static WebPage article(int number) {
    return WebPage.html("<title>Article " + number + "</title><p>" + words(number, 300) + ".</p>");
  }

  /** A copy of an article in the frame of another publisher. */
  static WebPage copy(int number, String publisher) {
    return WebPage.html("<title>Article " + number + " - " + publisher + "</title><p>" + publisher + " reports.</p><p>"
        + words(number, 300) + ".</p><p>Read more at " + publisher + ".</p>");
  }

  private static String words(int seed, int count) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < count; word++) {
      text.append(word == 0 ? "" : word % 12 == 0 ? ". The " : word % 5 == 0 ? " the " : " ");
      for (int letter = 0; letter < 4 + word % 5; letter++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }
}
