package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.kafka.GeneratedPages.Copy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A site with very many pages in one template: what one costs does not grow with their number, nor what is kept of the
 * site. {@code -Dndc.pages}: how many.
 */
class LargeSiteTest {
  private static final int PARTS = 8;
  private static final int COPIES = 4;
  /** Of docs/cluster.md: parts of 16 bytes. */
  private static final int MOST_MODEL_BYTES = 16_384 * 16;

  @Test
  void aPageOfALargeSiteCostsWhatOthersCost() {
    int pages = Integer.getInteger("ndc.pages", 4_800);
    GeneratedPages generated = new GeneratedPages(11);
    List<Long> bytes = new ArrayList<>();
    List<Copy> all = new ArrayList<>();
    try (SimulatedCluster cluster = new SimulatedCluster(4, 1)) {
      for (int part = 0; part < PARTS; part++) {
        long before = cluster.sentBytes();
        long begin = System.nanoTime();
        for (int asked = 0; asked < pages / PARTS;) {
          List<Copy> copies = new ArrayList<>();
          // As many as are open in a partition, more or less.
          for (int i = 0; i < 8; i++) {
            int document = all.size() / COPIES + i;
            List<String> text = generated.text(120);
            for (int copy = 0; copy < COPIES; copy++)
              copies.add(GeneratedPages.copy(
                  "http://large.example/page" + document + "?copy=" + copy, document, generated.changed(text, copy)));
          }
          copies.forEach(copy -> cluster.ask(copy.page(System.currentTimeMillis())));
          cluster.run();
          all.addAll(copies);
          asked += copies.size();
        }
        bytes.add((cluster.sentBytes() - before) * PARTS / pages);
        System.out.println(bytes.get(part) + " bytes and " + (System.nanoTime() - begin) / 1_000 * PARTS / pages
            + " us a page, model " + cluster.largestOfSites() + " bytes");
      }
      double f1 = GeneratedPages.f1(all, cluster.groups());
      assertTrue(f1 > 0.999, "F1 " + f1);
      assertTrue(cluster.largestOfSites() <= MOST_MODEL_BYTES, cluster.largestOfSites() + " bytes");
    }
    // In neither of the two the site's model is told to all its representatives.
    assertTrue(bytes.get(PARTS - 1) < 1.2 * bytes.get(2), bytes.toString());
  }
}
