package io.ndc.kafka;

import io.ndc.Page;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Invented documents, each on pages of several hosts in the frames of these, with a few words exchanged. */
final class GeneratedPages {
  /** A page and the document that it is a copy of. */
  record Copy(String url, int document, String html) {
    Page page(long fetchedAtMs) {
      return Page.of(url, html.getBytes(StandardCharsets.UTF_8)).withContentType("text/html; charset=utf-8")
          .withFetchedAtMs(fetchedAtMs);
    }
  }

  private static final String SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu";

  private final Random random;
  private final List<String> words = new ArrayList<>();

  GeneratedPages(long seed) {
    random = new Random(seed);
    String[] syllables = SYLLABLES.split(" ");
    for (int i = 0; i < 4000; i++)
      words.add(syllables[i % 20] + syllables[i / 20 % 20] + syllables[i / 400 % 20] + syllables[i * 7 % 20]);
  }

  /** So many documents, each on so many hosts; in the order of documents. */
  List<Copy> copies(int documents, int hosts) {
    List<Copy> copies = new ArrayList<>();
    for (int document = 0; document < documents; document++) {
      List<String> text = text(300);
      for (int host = 0; host < hosts; host++)
        copies.add(copy("http://host" + host + ".example/page" + document, document, changed(text, host == 0 ? 0 : 6)));
    }
    return copies;
  }

  List<String> text(int count) {
    List<String> text = new ArrayList<>();
    for (int i = 0; i < count; i++)
      text.add(words.get(random.nextInt(words.size())));
    return text;
  }

  List<String> changed(List<String> text, int count) {
    List<String> changed = new ArrayList<>(text);
    for (int i = 0; i < count; i++)
      changed.set(random.nextInt(changed.size()), words.get(random.nextInt(words.size())));
    return changed;
  }

  static Copy copy(String url, int document, List<String> text) {
    String host = url.replaceAll("^http://([^/]*)/.*$", "$1");
    StringBuilder html = new StringBuilder("<html><head><title>" + text.get(0) + " " + text.get(1) + " - " + host
        + "</title></head><body><nav>Home of " + host + ", about " + host + ", all pages of it</nav><main>");
    for (int i = 0; i < text.size(); i += 30)
      html.append("<p>").append(String.join(" ", text.subList(i, Math.min(i + 30, text.size())))).append(".</p>");
    html.append("</main><footer>Written for ").append(host).append(" by its owners</footer></body></html>");
    return new Copy(url, document, html.toString());
  }

  List<Copy> shuffled(Collection<Copy> copies) {
    List<Copy> shuffled = new ArrayList<>(copies);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** Over all pairs of pages: those in one group against those of one document. */
  static double f1(Collection<Copy> copies, Map<String, Long> groups) {
    Map<Object, Long> cells = new HashMap<>();
    Map<Object, Long> documents = new HashMap<>();
    Map<Object, Long> found = new HashMap<>();
    for (Copy copy : copies) {
      long group = groups.get(copy.url());
      cells.merge(List.of(copy.document(), group), 1L, Long::sum);
      documents.merge(copy.document(), 1L, Long::sum);
      found.merge(group, 1L, Long::sum);
    }
    return 2.0 * pairs(cells) / (pairs(documents) + pairs(found));
  }

  private static long pairs(Map<Object, Long> sizes) {
    return sizes.values().stream().mapToLong(size -> size * (size - 1) / 2).sum();
  }
}
