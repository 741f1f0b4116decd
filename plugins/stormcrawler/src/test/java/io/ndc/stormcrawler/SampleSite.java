package io.ndc.stormcrawler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The repository's sample, with copies planted in it, and a page that links all. */
final class SampleSite {
  static final String START = "http://start.example/";
  /** Every n-th page is copied to a mirror, every m-th to another address of its own site. */
  private static final int MIRRORED = 8;
  private static final int PRINTED = 15;

  /** The pages that are served, including START. */
  final Map<String, WebPage> pages = new LinkedHashMap<>();
  /** The page that each planted copy was made of. */
  final Map<String, String> planted = new LinkedHashMap<>();
  /** Pages with equal labels are versions of one document. */
  final Map<String, String> labels = new LinkedHashMap<>();

  SampleSite() throws IOException {
    Path folder = Path.of(System.getProperty("ndc.source.directory"), "data/sample");
    Map<String, WebPage> sample = Warc.read(folder.resolve("documentation.warc.gz"));
    for (String line : Files.readAllLines(folder.resolve("pages.tsv"))) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t");
        labels.put(columns[0], columns[3].replaceFirst("postgresql-doc-[0-9]+", "postgresql-doc"));
      }
    }
    int number = 0;
    for (Map.Entry<String, WebPage> page : sample.entrySet()) {
      pages.put(page.getKey(), page.getValue());
      if (number % MIRRORED == 0) {
        String name = page.getKey().substring(page.getKey().lastIndexOf('/') + 1);
        plant("http://mirror.example/collection/" + number + "/" + name, page.getKey(), page.getValue(),
            "<p>Number " + number
                + " of our collection, which a volunteer copied on a Tuesday evening."
                + " Please report what is broken.</p>");
      }
      if (number % PRINTED == 1) {
        plant(page.getKey() + "?print=1", page.getKey(), page.getValue(), "<p>Printed view.</p>");
      }
      number++;
    }
    pages.put(START, Site.links(List.copyOf(pages.keySet())));
    labels.put(START, START);
  }

  // Bytes stay what they were: each is a character of ISO 8859-1.
  private void plant(String url, String original, WebPage page, String addition) {
    String html = new String(page.body(), StandardCharsets.ISO_8859_1);
    int body = html.indexOf('>', html.indexOf("<body")) + 1;
    String copy = html.substring(0, body) + addition + html.substring(body);
    pages.put(url, new WebPage(200, page.contentType(), copy.getBytes(StandardCharsets.ISO_8859_1)));
    planted.put(url, original);
    labels.put(url, labels.get(original));
  }
}
