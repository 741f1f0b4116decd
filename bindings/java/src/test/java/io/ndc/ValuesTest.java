package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Pages and filters as values: what they take, and when filters are equal. */
class ValuesTest {
  private static final byte[] BODY = "<p>text</p>".getBytes(StandardCharsets.UTF_8);

  @Test
  void aTimeOfAPageIsAnInstantThatALongHolds() {
    Page page = Page.of("http://a.example/", BODY);
    assertEquals("http://a.example/", page.url());
    assertThrows(InvalidArgumentException.class, () -> page.withFetchedAt(null));
    assertThrows(InvalidArgumentException.class, () -> page.withFetchedAt(Instant.MAX));
  }

  @Test
  void filtersAreValues() {
    RemovalFilter filter = RemovalFilter.site("a.example").withFetchedBefore(Instant.ofEpochMilli(5)).purging();
    RemovalFilter same = RemovalFilter.fetchedBefore(Instant.ofEpochMilli(5)).purging().withSite("a.example");
    assertEquals(filter, same);
    assertEquals(filter.hashCode(), same.hashCode());
    assertNotEquals(filter, filter.withUrlPrefix("http://"));
    assertNotEquals(filter, RemovalFilter.site("a.example"));
    assertThrows(InvalidArgumentException.class, () -> new RemovalFilter(null, "", 0, false));
    assertThrows(InvalidArgumentException.class, () -> new RemovalFilter("", null, 0, false));
    assertThrows(InvalidArgumentException.class, () -> new RemovalFilter("", "", -1, false));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(null));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(Instant.EPOCH));
    assertThrows(InvalidArgumentException.class, () -> filter.withFetchedBefore(Instant.MIN));
  }
}
