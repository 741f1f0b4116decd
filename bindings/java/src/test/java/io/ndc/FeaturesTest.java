package io.ndc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a record says of its page, what is kept of it, and what an engine answers about it. */
class FeaturesTest {
  private static final String URL = "https://www.deep.example.co.uk/a";

  private static Page page(String url, int seed) {
    String text =
        IntStream.range(seed * 100, seed * 100 + 90).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
    return Page.of(url, ("<p>" + text + ".").getBytes(StandardCharsets.UTF_8)).withFetchedAtMs(77);
  }

  private static byte[] features(String url, int seed) {
    return Features.compute(page(url, seed), null);
  }

  @Test
  void aRecordSaysWhatAnEngineSaysOfItsPage() {
    FeaturesInfo info = Features.info(features(URL, 1));
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      pages.check(page(URL, 1));
      PageInfo known = pages.find(URL).orElseThrow();
      assertEquals(known.url(), info.url());
      assertEquals(known.lastFetchedAtMs(), info.fetchedAtMs());
      assertEquals(known.textWidth(), info.textWidth());
      assertEquals(known.textHash(), info.textHash());
    }
    assertEquals("example.co.uk", info.site());
    assertEquals(1, info.formatVersion());
    assertTrue(info.hasText() && info.hasKeys());
    assertEquals(Features.keys(features(URL, 1)).length, info.keyCount());
    assertEquals(0, info.sitePages());
    assertEquals(info.madeWith(), Features.info(features("", 2)).madeWith());
    byte[] otherwise = Features.compute(page(URL, 1), Map.of("x_relaxed_keys", "7"));
    assertNotEquals(info.madeWith(), Features.info(otherwise).madeWith());
    FeaturesInfo empty = Features.info(Features.compute(Page.of("", new byte[0]), null));
    assertFalse(empty.hasText());
    byte[] few = "<p>Few words.".getBytes(StandardCharsets.UTF_8);
    assertEquals(Set.of(Flag.SHORT), Features.info(Features.compute(Page.of("", few), null)).flags());
  }

  @Test
  void aRepresentativeIsDecidedAsItsRecord() {
    byte[] page = features(URL, 1);
    try (SiteModel site = new SiteModel()) {
      site.learn(Features.parts(page));
      byte[] known = Features.withSite(page, site.save());
      byte[] kept = Features.representative(page, site.save());
      assertArrayEquals(kept, Features.representative(known, null));
      assertEquals(1, Features.info(kept).sitePages());
      assertFalse(Features.info(kept).hasKeys());
      for (int seed = 1; seed < 3; ++seed) {
        byte[] other = features("https://b.example/", seed);
        assertEquals(Features.decide(known, other, null), Features.decide(kept, other, null));
      }
      assertThrows(InvalidArgumentException.class, () -> Features.keys(kept));
    }
  }

  @Test
  void whatWasDecidedElsewhereIsNotComparedHere() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      byte[] page = features(URL, 1);
      byte[] other = features("https://b.example/", 2);
      Result refused = Features.decide(page, other, null);
      Result founder = pages.applyOutcome(page, refused);
      Result joins = new Result(
          Verdict.NEAR, Set.of(Flag.LIMIT), 0, founder.groupId(), 0, .25, .5, .25, .5, .75, 0);
      Result told = pages.applyOutcome(other, joins);
      assertEquals(Verdict.NEAR, told.verdict());
      assertEquals(founder.pageId(), told.matchedPageId());
      assertEquals(.75, told.probability());
      assertTrue(told.flags().contains(Flag.LIMIT));
      Result nowhere = new Result(Verdict.NEAR, Set.of(), 0, 99, 0, 0, 0, 0, 0, 0, 0);
      assertThrows(NotFoundException.class, () -> pages.applyOutcome(other, nowhere));
    }
  }

  @Test
  void aQueryAnswersAsACheckWould() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      Result founder = pages.checkFeatures(features(URL, 1));
      Result asked = pages.queryFeatures(features("https://b.example/", 1));
      assertEquals(Verdict.EXACT, asked.verdict());
      assertEquals(founder.pageId(), asked.groupId());
      assertEquals(Verdict.NEW, pages.queryFeatures(features("https://b.example/", 2)).verdict());
      assertEquals(1, pages.stats().pages());
    }
  }
}
