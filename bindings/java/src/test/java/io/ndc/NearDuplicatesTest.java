package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.crawler.FounderComparison;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The answers of an engine in memory as Java objects, and its refusals as exceptions. */
class NearDuplicatesTest {
  private static final String HTML = "text/html; charset=utf-8";

  @Test
  void aCopyJoinsTheGroupOfTheFirst() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      Result first = pages.check("http://a.example/", Texts.page(1), HTML);
      Result copy = pages.check("http://b.example/", Texts.page(1), HTML);
      assertEquals(Verdict.NEW, first.verdict());
      assertEquals(Set.of(), first.flags());
      assertFalse(first.isDuplicate());
      assertEquals(first.pageId(), first.groupId());
      assertEquals(Verdict.EXACT, copy.verdict());
      assertTrue(copy.isDuplicate());
      assertEquals(first.groupId(), copy.groupId());
      assertEquals(first.pageId(), copy.matchedPageId());
      assertEquals(1.0, copy.resemblance());
      assertEquals(1.0, copy.containment());
      assertEquals(1.0, copy.pageCoverage());
      assertEquals(1.0, copy.matchedCoverage());
    }
  }

  @Test
  void aPageThatNearlyJoinedNamesTheGroup() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      byte[] whole = Texts.page(1, Texts.sentences(7, 120));
      Result first = pages.check("http://a.example/", whole, HTML);
      Result related = pages.check("http://b.example/", Texts.page(2, Texts.sentences(7, 120)), HTML);
      assertEquals(Verdict.NEW, related.verdict());
      assertEquals(first.groupId(), related.relatedGroupId());
      assertTrue(related.probability() > 0 && related.probability() < 0.5, () -> related.toString());
      Result copy = pages.check("http://c.example/", whole, HTML);
      assertEquals(1.0, copy.probability());
      assertEquals(0, copy.relatedGroupId());
    }
  }

  @Test
  void aChangedCopyIsNear() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      Result first = pages.check("http://a.example/", Texts.page(1), HTML);
      Result near =
          pages.check("http://b.example/", Texts.page(1, "One sentence more than the first page has of them."), HTML);
      assertEquals(Verdict.NEAR, near.verdict());
      assertTrue(near.isDuplicate());
      assertEquals(first.groupId(), near.groupId());
      assertTrue(near.resemblance() > 0.8 && near.resemblance() < 1, () -> near.toString());
      assertTrue(near.pageCoverage() < near.matchedCoverage(), () -> near.toString());
    }
  }

  @Test
  void otherTextIsNewAndTheSameUrlIsARecrawl() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      pages.check("http://a.example/", Texts.page(1), HTML);
      assertEquals(Verdict.NEW, pages.check("http://b.example/", Texts.page(2), HTML).verdict());
      Result again = pages.check("http://a.example/", Texts.page(1), HTML);
      assertEquals(Verdict.UNCHANGED, again.verdict());
      assertEquals(Set.of(Flag.RECRAWL), again.flags());
      Result changed = pages.check("http://a.example/", Texts.page(3), HTML);
      assertEquals(Set.of(Flag.RECRAWL, Flag.CHANGED), changed.flags());
    }
  }

  @Test
  void aQueryChangesNothing() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      Result unknown = pages.query("http://a.example/", Texts.page(1), HTML);
      assertEquals(Verdict.NEW, unknown.verdict());
      assertEquals(0, unknown.pageId());
      assertEquals(0, unknown.groupId());
      assertEquals(0, pages.stats().pages());
      Result first = pages.check("http://a.example/", Texts.page(1), HTML);
      Result copy = pages.query("http://b.example/", Texts.page(1), HTML);
      assertEquals(Verdict.EXACT, copy.verdict());
      assertEquals(first.groupId(), copy.groupId());
      assertEquals(1, pages.stats().pages());
      assertEquals(2, pages.stats().queries());
    }
  }

  @Test
  void aPageTellsItsFetchTimeAndThatItWasCut() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      Page page = Page.of("http://a.example/", Texts.page(1)).withContentType(HTML);
      assertEquals("http://a.example/", page.url());
      Result cut = pages.check(page.withFetchedAtMs(1_700_000_000_123L).truncated());
      assertEquals(Set.of(Flag.TRUNCATED), cut.flags());
      pages.check(page.withFetchedAtMs(1_700_000_000_456L).truncated());
      PageInfo info = pages.find("http://a.example/").orElseThrow();
      assertEquals(1_700_000_000_123L, info.firstFetchedAtMs());
      assertEquals(1_700_000_000_456L, info.lastFetchedAtMs());
      long before = System.currentTimeMillis();
      pages.check(Page.of("http://now.example/", Texts.page(2)));
      long now = pages.find("http://now.example/").orElseThrow().firstFetchedAtMs();
      assertTrue(now >= before && now <= System.currentTimeMillis());
    }
  }

  @Test
  void aPageWithoutTextIsNoCandidate() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      assertEquals(Verdict.NO_TEXT, pages.check("http://a.example/", new byte[0], HTML).verdict());
      assertEquals(Verdict.NO_TEXT,
          pages.check("http://b.example/", new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10}, "image/png")
              .verdict());
      assertEquals(2, pages.stats().groups());
      assertEquals(2, pages.stats().verdictNoText());
    }
  }

  @Test
  void whatItKnowsIsListed() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      Result first = pages.check("http://a.example/", Texts.page(1), HTML);
      Result copy = pages.check("http://b.example/", Texts.page(1), HTML);
      Result other = pages.check("http://c.example/", Texts.page(2), HTML);

      PageInfo found = pages.find("http://b.example/").orElseThrow();
      assertEquals("http://b.example/", found.url());
      assertEquals(copy.pageId(), found.pageId());
      assertEquals(first.groupId(), found.groupId());
      assertEquals(Verdict.EXACT, found.verdict());
      assertEquals(first.pageId(), found.matchedPageId());
      assertEquals(1.0, found.resemblance());
      assertEquals(found, pages.page(copy.pageId()).orElseThrow());
      PageInfo founder = pages.page(first.pageId()).orElseThrow();
      assertEquals(founder.textHash(), found.textHash());
      assertEquals(founder.textWidth(), found.textWidth());
      assertTrue(found.textWidth() > 500);
      assertEquals(List.of(founder, found), pages.members(first.groupId()));
      assertEquals(List.of(new GroupInfo(first.groupId(), first.pageId(), 2, false),
                       new GroupInfo(other.groupId(), other.pageId(), 1, false)),
          pages.groups());

      assertTrue(pages.find("http://d.example/").isEmpty());
      assertTrue(pages.page(1000).isEmpty());
      assertTrue(pages.page(-1).isEmpty());
      assertThrows(NotFoundException.class, () -> pages.members(1000));
    }
  }

  @Test
  void onePageOfAGroupIsKept() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      String longUrl = "http://c.example/" + "ü".repeat(1000);
      Result first = pages.check(Page.of("http://a.example/story", Texts.page(1)).withFetchedAtMs(2_000));
      pages.check(Page.of("http://b.example/", Texts.page(1)).withFetchedAtMs(1_000));
      Result last = pages.check(Page.of(longUrl, Texts.page(1, "One sentence more.")).withFetchedAtMs(3_000));
      assertEquals(first.groupId(), last.groupId());
      assertEquals(pages.page(first.pageId()).orElseThrow(), pages.keptPage(first.groupId(), Keep.FIRST));
      assertEquals(longUrl, pages.keptPage(first.groupId(), Keep.NEWEST).url());
      assertEquals(pages.page(last.pageId()).orElseThrow(), pages.keptPage(first.groupId(), Keep.LONGEST));
      assertThrows(InvalidArgumentException.class, () -> pages.keptPage(first.groupId(), Keep.CANONICAL));
      for (Keep rule : List.of(Keep.FIRST, Keep.LONGEST, Keep.NEWEST)) {
        List<PageInfo> members = pages.members(first.groupId());
        assertEquals(pages.keptPage(first.groupId(), rule),
            members.get(NearDuplicates.chooseCopy(members.stream().map(Copy::of).toList(), rule)), rule::name);
        assertThrows(NotFoundException.class, () -> pages.keptPage(1000, rule));
      }
      assertThrows(InvalidArgumentException.class, () -> pages.keptPage(first.groupId(), null));
    }
  }

  @Test
  void aCopyIsChosenWithoutAnEngine() {
    Copy story = Copy.of("http://a.example/story?page=1").withTextWidth(500).withFetchedAt(Instant.ofEpochMilli(7));
    Copy named = Copy.of("http://a.example/story?id=17").withCanonicalUrl("http://a.example/story?id=17");
    Copy other = Copy.of("http://b.example/").withCanonicalUrl("http://a.example/story?id=17#top").withTextWidth(400);
    List<Copy> copies = List.of(named, other, story);
    assertEquals(0, NearDuplicates.chooseCopy(copies, Keep.FIRST));
    assertEquals(2, NearDuplicates.chooseCopy(copies, Keep.LONGEST));
    assertEquals(2, NearDuplicates.chooseCopy(copies, Keep.NEWEST));
    assertEquals(0, NearDuplicates.chooseCopy(copies, Keep.CANONICAL));
    assertEquals(1, NearDuplicates.chooseCopy(List.of(named.withoutContent(), other, story), Keep.FIRST));
    assertEquals(
        1, NearDuplicates.chooseCopy(List.of(named.withCanonicalUrl(null), other.withCanonicalUrl("")),
            Keep.CANONICAL));
    assertThrows(InvalidArgumentException.class, () -> NearDuplicates.chooseCopy(List.of(), Keep.FIRST));
    assertThrows(InvalidArgumentException.class, () -> NearDuplicates.chooseCopy(null, Keep.FIRST));
    assertThrows(InvalidArgumentException.class, () -> NearDuplicates.chooseCopy(copies, null));
    assertThrows(
        InvalidArgumentException.class, () -> NearDuplicates.chooseCopy(Arrays.asList(story, null), Keep.FIRST));
    assertThrows(InvalidArgumentException.class, () -> story.withTextWidth(-1));
    assertThrows(InvalidArgumentException.class, () -> story.withFetchedAt(Instant.MAX));
    assertThrows(InvalidArgumentException.class, () -> Copy.of((String) null));
    assertThrows(InvalidArgumentException.class, () -> Copy.of((PageInfo) null));
  }

  @Test
  void aLargeGroupIsListedInItsOrder() {
    List<String> urls = IntStream.range(0, 1000).mapToObj(number -> "http://a.example/" + number).toList();
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      urls.forEach(url -> pages.check(url, Texts.page(1), HTML));
      assertEquals(urls, pages.members(1).stream().map(PageInfo::url).toList());
      assertEquals(1, pages.groups().size());
      urls.forEach(pages::remove);
      assertEquals(1000, pages.events(0).stream().filter(event -> event.kind() == Event.Kind.REMOVED).count());
    }
  }

  @Test
  void whatHappenedIsTold() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      assertEquals(List.of(), pages.events(0));
      Result first = pages.check("http://a.example/", Texts.page(1), HTML);
      pages.check("http://b.example/", Texts.page(1), HTML);
      assertTrue(pages.remove("http://a.example/"));
      assertFalse(pages.remove("http://a.example/"));
      assertEquals(List.of(new GroupInfo(first.groupId(), 0, 1, true)), pages.groups());
      Event removed = pages.events(0).get(0);
      assertEquals(Event.Kind.REMOVED, removed.kind());
      assertEquals(first.pageId(), removed.pageId());
      assertEquals(1, removed.sequence());
      assertTrue(removed.atMs() > 1_700_000_000_000L);
      List<Event> all = pages.events(0);
      assertEquals(all.subList(1, all.size()), pages.events(1));
    }
  }

  @Test
  void aFilterRemovesWhatItMatches() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (int i = 0; i < 6; ++i) {
        String url = "http://www." + (i % 2 == 0 ? "even" : "odd") + ".example/" + i;
        pages.check(Page.of(url, Texts.page(i)).withFetchedAtMs(1_700_000_000_000L + i));
      }
      assertEquals(0, pages.removeMatching(RemovalFilter.urlPrefix("http://nobody.example/")));
      assertEquals(
          2, pages.removeMatching(RemovalFilter.fetchedBefore(Instant.ofEpochMilli(1_700_000_000_004L))
                 .withSite("even.example")
                 .purging()));
      assertEquals(
          1, pages.removeMatching(RemovalFilter.site("odd.example").withUrlPrefix("http://www.odd.example/5")));
      Instant latest = Instant.ofEpochMilli(Long.MAX_VALUE);
      assertEquals(3, pages.removeMatching(RemovalFilter.urlPrefix("http://").withFetchedBefore(latest)));
      assertEquals(0, pages.stats().pages());
      assertEquals(6, pages.stats().removed());
    }
  }

  @Test
  void aMatchIsExplained() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of("keep_text", "true"))) {
      long first = pages.check("http://a.example/ü", Texts.page(1), HTML).pageId();
      long near = pages.check("http://b.example/", Texts.page(1, "Ein Satz mehr, über Wale."), HTML).pageId();
      String json = pages.explain(first, near);
      assertTrue(json.contains("\"verdict\":\"near\"") || json.contains("\"verdict\": \"near\""), json);
      assertTrue(json.contains("http://a.example/ü"), json);
      assertTrue(json.contains("über wale"), json);
    }
  }

  @Test
  void twoPagesAreComparedByWhatIsKnownNow() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      long first = pages.check("http://a.example/", Texts.page(1), HTML).pageId();
      Result near = pages.check("http://b.example/", Texts.page(1, "A sentence more, about whales."), HTML);
      long other = pages.check("http://c.example/", Texts.page(2), HTML).pageId();
      assertEquals(near, pages.compare(first, near.pageId()));
      assertTrue(near.isCopy() && !near.isPart());
      Result different = pages.compare(first, other);
      assertEquals(Verdict.NEW, different.verdict());
      assertFalse(different.isCopy() || different.isPart());
      assertEquals(other, different.pageId());
      assertThrows(NotFoundException.class, () -> pages.compare(first, 99));
      String[] more = IntStream.range(0, 60).mapToObj(i -> "Sentence " + i * 7919 + " of " + i * 104729 + ".")
          .toArray(String[]::new);
      Result part = pages.check("http://d.example/", Texts.page(1, more), HTML);
      assertTrue(part.isPart() && !part.isCopy());
      // It equals a part, and is none of the page that it equals.
      Result same = pages.check("http://e.example/", Texts.page(1, more), HTML);
      assertEquals(part.pageId(), same.matchedPageId());
      assertTrue(same.isCopy());
      assertEquals(Optional.of(true), FounderComparison.of(pages, same).map(Result::isPart));
      assertEquals(Optional.of(near), FounderComparison.of(pages, near));
      Result founder = pages.check("http://f.example/", Texts.page(3), HTML);
      assertEquals(Optional.empty(), FounderComparison.of(pages, founder));
      pages.remove("http://a.example/");
      assertEquals(Optional.empty(), FounderComparison.of(pages, same), "the founder is gone");
    }
  }

  @Test
  void theOwnTextIsWithoutWhatTheSiteRepeats() {
    String frame = "Lest jeden Morgen die Nachrichten der ganzen Küste, und schreibt uns, wenn etwas nicht stimmt.";
    String[] stories = {"Die Fähre fährt um zwölf und um sechs, und Hunde fahren umsonst mit über den Fluss.",
        "Der Rat lässt den Leuchtturm wieder aufbauen, und das Haus des Wärters wird ein Museum der Küste.",
        "Dreihundert Völker wurden im August in einer Nacht in die Heide gebracht, und niemand hielt unterwegs an."};
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (int i = 0; i < stories.length; ++i) {
        byte[] body = ("<p>" + frame + "</p><p>" + stories[i] + "</p>").getBytes(StandardCharsets.UTF_8);
        CheckedText checked = pages.checkWithText(Page.of("http://a.example/" + i, body).withContentType(HTML));
        assertEquals(Verdict.NEW, checked.result().verdict());
        assertEquals(i == 0 ? frame + "\n" + stories[i] : stories[i], checked.ownText());
      }
      byte[] first = ("<p>" + frame + "</p><p>" + stories[0] + "</p>").getBytes(StandardCharsets.UTF_8);
      assertEquals(stories[0], pages.ownText(Page.of("http://a.example/0", first).withContentType(HTML)));
      assertEquals("", pages.ownText(Page.of("http://a.example/9", new byte[0])));
      assertThrows(InvalidArgumentException.class, () -> pages.ownText(null));
    }
  }

  @Test
  void theMostSimilarPagesAreListedBestFirst() {
    Map<String, String> options = Map.of("detector", "mwo", "x_similar_members_limit", "2");
    try (NearDuplicates pages = NearDuplicates.inMemory(options)) {
      long first = pages.check("http://a.example/ü", Texts.page(1), HTML).pageId();
      Result near = pages.check("http://b.example/", Texts.page(1, "Ein Satz mehr, über Wale."), HTML);
      pages.check("http://c.example/", Texts.page(2), HTML);
      assertEquals(List.of(), pages.similar(pages.check("http://d.example/", new byte[0], HTML).pageId(), 10));
      Result copy = pages.check("http://e.example/", Texts.page(1), HTML);
      List<SimilarPage> similar = pages.similar(near.pageId(), 10);
      assertEquals("http://a.example/ü", similar.get(0).url());
      assertEquals(List.of(first, copy.pageId()), similar.stream().map(SimilarPage::pageId).toList());
      assertEquals(near.groupId(), similar.get(0).groupId());
      assertTrue(similar.get(0).score() > 0.8 && similar.get(0).score() < 1, similar::toString);
      assertFalse(similar.get(0).limited());
      pages.check("http://f.example/", Texts.page(1), HTML);
      assertTrue(pages.similar(near.pageId(), 10).stream().allMatch(SimilarPage::limited));
      assertEquals(1, pages.similar(near.pageId(), 1).size());
      assertThrows(InvalidArgumentException.class, () -> pages.similar(first, 0));
      assertThrows(InvalidArgumentException.class, () -> pages.similar(first, -1));
    }
  }

  @Test
  void itCounts() throws ReflectiveOperationException {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      pages.check("http://a.example/", Texts.page(1), HTML);
      pages.check("http://b.example/", Texts.page(1), HTML);
      Statistics stats = pages.stats();
      assertEquals(2, stats.pages());
      assertEquals(1, stats.groups());
      assertEquals(2, stats.checks());
      assertEquals(1, stats.verdictNew());
      assertEquals(1, stats.verdictExact());
      assertEquals(2L * Texts.page(1).length, stats.bodyBytes());
      assertEquals(
          stats.bytesTotal(),
          stats.bytesIndex() + stats.bytesFeatures() + stats.bytesPages() + stats.bytesEvents() + stats.bytesScratch());
      assertEquals(stats.verdictExact(), stats.asMap().get("verdict_exact"));
      assertEquals(pages.stats(), pages.stats());
      try (NearDuplicates empty = NearDuplicates.inMemory(null)) {
        assertNotEquals(empty.stats(), stats);
      }
      assertTrue(stats.toString().contains("verdictExact=1"), stats::toString);
      assertTrue(pages.metrics().contains("ndc_"), pages.metrics());
    }
  }

  @Test
  void aPageIsExtractedWithoutAnEngine() {
    String json = NearDuplicates.extract(Page.of("http://a.example/", Texts.page(1)).withContentType(HTML), Map.of());
    assertTrue(json.contains("\"kind\""), json);
  }
}
