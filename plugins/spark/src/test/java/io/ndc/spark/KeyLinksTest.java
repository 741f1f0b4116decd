package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

/** Links between the pages of one key, and keys that too many pages share to tell anything. */
class KeyLinksTest {
  private final CandidatesStage.Limits limits = new CandidatesStage.Limits();
  private final Counts counts = new Counts();
  private final List<Row> rows = new ArrayList<>();

  private void list(long key, long firstPlace, int pages, int sites) {
    for (int i = 0; i < pages; i++)
      rows.add(RowFactory.create(key, Place.NEW + firstPlace + i, (long) i % sites));
  }

  private List<String> links() {
    List<String> links = new ArrayList<>();
    new PresentRows(new KeyLinks(rows.iterator(), limits, counts)::next).forEachRemaining(
        link -> links.add(
            (link.getLong(0) - Place.NEW) + ">" + (link.getLong(1) - Place.NEW) + ":" + link.getLong(2)));
    return links;
  }

  private long count(String name) {
    return counts.value().getOrDefault(name, 0L);
  }

  /** The links of one key, and whether it was deleted. */
  private void checkLinks(int pages, int sites, int expectedLinks, String counter, long expectedCount) {
    list(1, 0, pages, sites);
    assertEquals(expectedLinks, links().size());
    assertEquals(expectedCount, count(counter));
  }

  @Test
  void eachPageIsLinkedToTheLargerOnesAtTheHeadOfItsList() {
    limits.heads = 2;
    list(5, 10, 4, 4);
    long vote = KeyLinks.VOTE / 4;
    assertEquals(
        List.of("11>10:" + vote, "12>10:" + vote, "12>11:" + vote, "13>10:" + vote, "13>11:" + vote), links());
  }

  @Test
  void listsDoNotMix() {
    list(1, 10, 1, 1);
    list(2, 20, 2, 2);
    list(3, 30, 1, 1);
    assertEquals(List.of("21>20:" + KeyLinks.VOTE / 2), links());
    assertEquals(3, count("keys"));
  }

  @Test
  void aKeyOnTooManyPagesIsDeletedAndCounted() {
    limits.hotPages = 100;
    list(1, 0, 101, 101);
    list(2, 1000, 2, 2);
    assertEquals(List.of("1001>1000:" + KeyLinks.VOTE / 2), links());
    assertEquals(1, count("hot_keys"));
  }

  @Test
  void aKeyOnJustSoManyPagesIsKept() {
    limits.hotPages = 100;
    limits.heads = 1;
    checkLinks(100, 100, 99, "hot_keys", 0);
  }

  @Test
  void aKeyOnManyPagesOfFewSitesIsDeletedAndCounted() {
    limits.hotSitePages = 40;
    limits.hotSites = 8;
    checkLinks(41, 8, 0, "hot_site_keys", 1);
  }

  @Test
  void aKeyOnManyPagesOfManySitesIsKept() {
    limits.hotSitePages = 40;
    limits.hotSites = 8;
    limits.heads = 1;
    checkLinks(41, 9, 40, "hot_site_keys", 0);
  }

  @Test
  void withoutRowsThereIsNothing() {
    assertEquals(List.of(), links());
  }
}
