package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pages and filters as values: what they tell, when they are equal, how they print. */
class ValuesTest {
  private static final byte[] BODY = "<p>text</p>".getBytes(StandardCharsets.UTF_8);

  @Test
  void aPageTellsWhatItWasGiven() {
    Instant time = Instant.ofEpochMilli(1_700_000_000_123L);
    Page page = Page.of("http://a.example/", BODY, "text/html").withFetchedAt(time).truncated();
    assertEquals("http://a.example/", page.url());
    assertEquals("text/html", page.contentType());
    assertEquals(Optional.of(time), page.fetchedAt());
    assertEquals(BODY.length, page.bodySize());
    assertTrue(page.isTruncated());
    assertEquals(
        "Page[url=http://a.example/, contentType=text/html, bodySize=11, "
            + "fetchedAt=2023-11-14T22:13:20.123Z, truncated]",
        page.toString());
    Page bare = Page.of("http://a.example/", ByteBuffer.wrap(BODY), null);
    assertEquals("", bare.contentType());
    assertEquals(Optional.empty(), bare.fetchedAt());
    assertFalse(bare.isTruncated());
    assertEquals("Page[url=http://a.example/, contentType=, bodySize=11]", bare.toString());
    assertThrows(InvalidArgumentException.class, () -> page.withFetchedAt(null));
    assertThrows(InvalidArgumentException.class, () -> page.withFetchedAt(Instant.MAX));
  }

  @Test
  void pagesAreEqualIfAllIs() {
    Page page = Page.of("u", BODY);
    byte[] around = "xx<p>text</p>y".getBytes(StandardCharsets.UTF_8);
    Page slice = Page.of("u", ByteBuffer.wrap(around, 2, BODY.length));
    assertEquals(page, slice);
    assertEquals(page.hashCode(), slice.hashCode());
    assertEquals(page, Page.of("u", ByteBuffer.wrap(BODY).asReadOnlyBuffer(), ""));
    for (Page other :
        List.of(Page.of("v", BODY), Page.of("u", around), Page.of("u", "<p>next</p>".getBytes(StandardCharsets.UTF_8)),
            page.withContentType("x"), page.withFetchedAtMs(1), page.truncated())) {
      assertNotEquals(page, other);
    }
    assertNotEquals(null, page);
    assertNotEquals("u", page);
  }

  @Test
  void filtersAreValues() {
    RemovalFilter filter = RemovalFilter.site("a.example").withFetchedBefore(Instant.ofEpochMilli(5)).purging();
    RemovalFilter same = RemovalFilter.fetchedBefore(5).purging().withSite("a.example");
    assertEquals(filter, same);
    assertEquals(filter.hashCode(), same.hashCode());
    assertEquals(RemovalFilter.fetchedBefore(Instant.ofEpochMilli(5)), RemovalFilter.fetchedBefore(5));
    assertNotEquals(filter, filter.withUrlPrefix("http://"));
    assertNotEquals(filter, RemovalFilter.site("a.example"));
    assertEquals("RemovalFilter[urlPrefix=, site=a.example, fetchedBeforeMs=5, purging=true]", filter.toString());
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(null));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(Instant.EPOCH));
    assertThrows(InvalidArgumentException.class, () -> filter.withFetchedBefore(Instant.MIN));
  }
}
