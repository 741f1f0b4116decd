package io.ndc.spark;

import io.ndc.Features;
import io.ndc.Page;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Rows of {@link CapturesStage#SCHEMA} of pages that are made up: families of articles and their edits,
 * from fixed seeds.
 */
final class SyntheticCaptures {
  private static final int WORDS = 3000;

  private SyntheticCaptures() {}

  /**
   * Families of 1 to 9 pages over some hosts; some edits are small, some are large, some pages quote another family.
   */
  static List<Row> families(int families, int hosts, long seed) {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    List<String> quoted = sentences(random, 4);
    for (int family = 0; family < families; family++) {
      List<String> article = sentences(random, 8 + random.nextInt(20));
      int pages = 1 + random.nextInt(9);
      for (int page = 0; page < pages; page++) {
        List<String> edit = edited(article, random, random.nextInt(4) * 0.15);
        if (random.nextInt(5) == 0) edit.addAll(quoted);
        String host = "host-" + random.nextInt(hosts) + ".example";
        rows.add(capture("http://" + host + "/" + family + "/" + page, 1 + rows.size(), html(edit)));
      }
    }
    return rows;
  }

  static List<String> sentences(Random random, int count) {
    List<String> sentences = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder sentence = new StringBuilder();
      int words = 8 + random.nextInt(12);
      for (int word = 0; word < words; word++)
        sentence.append(word == 0 ? "The " : " ").append("w").append(Integer.toString(random.nextInt(WORDS), 36));
      sentences.add(sentence.append('.').toString());
    }
    return sentences;
  }

  private static List<String> edited(List<String> article, Random random, double share) {
    List<String> edit = new ArrayList<>();
    for (String sentence : article) {
      if (random.nextDouble() >= share) {
        edit.add(sentence);
      } else if (random.nextBoolean()) {
        edit.addAll(sentences(random, 1));
      }
    }
    return edit;
  }

  static String html(List<String> sentences) {
    StringBuilder html = new StringBuilder("<html><head><title>t</title></head><body>");
    for (int i = 0; i < sentences.size(); i++)
      html.append(i % 4 == 0 ? "<p>" : " ").append(sentences.get(i));
    return html.append("</body></html>").toString();
  }

  static Row capture(String url, long fetchedAtMs, String html) {
    byte[] features = Features.compute(
        Page.of(url, html.getBytes(StandardCharsets.UTF_8)).withContentType("text/html").withFetchedAtMs(fetchedAtMs),
        Map.of());
    return RowFactory.create(PageKey.of(url, fetchedAtMs), url, Features.info(features).site(), fetchedAtMs,
        "made-up.warc", fetchedAtMs * 1000, features);
  }
}
