package io.ndc.spark;

import static io.ndc.spark.GeneratedArchive.article;
import static io.ndc.spark.GeneratedArchive.edited;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.NearDuplicates;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted where batch and store are not of one mind, and of pages that cannot be taken. */
class StoreLoadTest {
  private static final String FOUNDER = "http://founder.example/";
  private static final List<String> OUTCOMES = List.of(
      "founders", "joined_same", "joined_other", "joined_unnamed", "founded_own", "newer", "failed");

  private final NearDuplicates store = NearDuplicates.inMemory(Map.of());
  private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  private final StoreLoad load =
      new StoreLoad(store, new PrintStream(messages, true, StandardCharsets.UTF_8));

  @AfterEach
  void close() {
    store.close();
  }

  private static byte[] features(String url, long fetchedAtMs, List<String> text) {
    return SyntheticCaptures.capture(url, Math.max(fetchedAtMs, 1), SyntheticCaptures.html(text)).getAs(6);
  }

  private void take(String url, String representative, long fetchedAtMs, List<String> text) {
    load.take(RowFactory.create(url, representative, url.equals(representative), fetchedAtMs,
        features(url, fetchedAtMs, text)));
  }

  private void checkCounted(String... namesAndCounts) {
    ObjectNode counters = load.counters();
    for (int i = 0; i < namesAndCounts.length; i += 2)
      assertEquals(namesAndCounts[i + 1], counters.get(namesAndCounts[i]).asText(), counters::toString);
    long sum = 0;
    for (String outcome : OUTCOMES)
      sum += counters.get(outcome).asLong();
    assertEquals(counters.get("pages").asLong(), sum, counters::toString);
  }

  @Test
  void pagesInTheGroupOfTheirRepresentativeAreTheSame() {
    take(FOUNDER, FOUNDER, 1000, article(1));
    take("http://member.example/", FOUNDER, 1000, edited(article(1), 8));
    checkCounted("pages", "2", "founders", "1", "joined_same", "1");
    assertTrue(load.isWhole());
  }

  @Test
  void aMemberThatTheStoreFindsDifferentFoundsItsOwnGroup() {
    take(FOUNDER, FOUNDER, 1000, article(1));
    take("http://member.example/", FOUNDER, 1000, article(2));
    checkCounted("founders", "1", "founded_own", "1");
  }

  @Test
  void aFounderOrMemberInTheGroupOfAnotherPageHasJoinedAnother() {
    take(FOUNDER, FOUNDER, 1000, article(1));
    take("http://second.example/", "http://second.example/", 1000, edited(article(1), 8));
    take("http://third.example/", "http://second.example/", 1000, edited(article(1), 6));
    checkCounted("founders", "1", "joined_other", "2");
  }

  @Test
  void aGroupWhoseFounderHasGoneHasNoName() {
    take(FOUNDER, FOUNDER, 1000, article(1));
    take("http://member.example/", FOUNDER, 1000, edited(article(1), 8));
    store.remove(FOUNDER);
    take("http://late.example/", FOUNDER, 1000, article(1));
    checkCounted("joined_same", "1", "joined_unnamed", "1");
  }

  @Test
  void aPageThatWasLoadedIsNotCheckedAgain() {
    take(FOUNDER, FOUNDER, 0, article(1));
    take(FOUNDER, FOUNDER, 0, article(1));
    checkCounted("pages", "2", "founders", "2", "unchanged", "1");
    assertEquals(1, store.stats().checks());
  }

  @Test
  void ofALaterCaptureOnlyALaterOneIsTaken() {
    take(FOUNDER, FOUNDER, 2000, article(1));
    take(FOUNDER, FOUNDER, 1000, article(2));
    checkCounted("founders", "1", "newer", "1");
    take(FOUNDER, FOUNDER, 3000, article(2));
    checkCounted("founders", "2", "newer", "1", "unchanged", "0");
    assertEquals(3000, store.find(FOUNDER).orElseThrow().lastFetchedAtMs());
  }

  @Test
  void pagesThatCannotBeTakenAreToldAndTheOthersGoOn() {
    byte[] damaged = features("http://damaged.example/", 1000, article(1));
    damaged[200] ^= 1;
    load.take(RowFactory.create("http://damaged.example/", FOUNDER, false, 1000L, damaged));
    load.take(RowFactory.create("http://short.example/", FOUNDER, false, 1000L, new byte[7]));
    load.take(RowFactory.create("http://none.example/", FOUNDER, false, 1000L, null));
    take(FOUNDER, FOUNDER, 1000, article(1));
    checkCounted("pages", "4", "failed", "3", "founders", "1");
    assertFalse(load.isWhole());
    String told = messages.toString(StandardCharsets.UTF_8);
    assertEquals(3, told.lines().count(), told);
    for (String host : List.of("damaged", "short", "none"))
      assertTrue(told.contains("http://" + host + ".example/: "), told);
  }

  @Test
  void noMoreThanTwentyFailuresAreToldOneByOne() {
    for (int i = 0; i < 30; i++)
      load.take(RowFactory.create("http://a.example/" + i, FOUNDER, false, 1000L, null));
    assertEquals(20, messages.toString(StandardCharsets.UTF_8).lines().count());
    checkCounted("failed", "30");
  }
}
