package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.crawler.HostPatterns;
import org.junit.jupiter.api.Test;

/** The site of a URL, as Nutch's jobs group pages by it. */
class SiteTest {
  @Test
  void sitesOfAnyUrl() {
    assertEquals("example.co.uk", Site.of("http://a.b.example.co.uk/x"));
    assertEquals("user.github.io", Site.of("https://user.github.io/"));
    assertEquals("192.168.0.1", Site.of("http://192.168.0.1:8080/"));
    assertEquals("localhost", Site.of("http://localhost/"));
    for (String none : new String[] {"", "mailto:x", "http://", "http://[::1/", "://"}) {
      assertEquals(HostPatterns.hostOf(none), Site.of(none), none);
    }
  }
}
