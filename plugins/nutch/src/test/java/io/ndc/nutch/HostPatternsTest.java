package io.ndc.nutch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HostPatternsTest {
  @Test
  void globsStandForWholeHosts() {
    HostPatterns patterns = new HostPatterns(" www.one.example, *.two.example\n192.168.*  EXAMPLE.org");
    assertTrue(patterns.matches("http://www.one.example/"));
    assertTrue(patterns.matches("https://user@WWW.one.example:8080?x"));
    assertTrue(patterns.matches("http://a.b.two.example/page"));
    assertTrue(patterns.matches("http://192.168.0.1/"));
    assertTrue(patterns.matches("http://example.org"));
    assertFalse(patterns.matches("http://one.example/"));
    assertFalse(patterns.matches("http://two.example/"));
    assertFalse(patterns.matches("http://wwwXone.example/"));
    assertFalse(patterns.matches("http://other.example/www.one.example"));
  }

  @Test
  void regularExpressionsStandBetweenSlashes() {
    HostPatterns patterns = new HostPatterns("/(forum|wiki)[0-9]+\\.example/");
    assertTrue(patterns.matches("http://wiki12.example/"));
    assertFalse(patterns.matches("http://wiki.example/"));
  }

  @Test
  void whatCannotBeReadMatchesNothing() {
    HostPatterns patterns = new HostPatterns("/(/ good.example");
    assertTrue(patterns.matches("http://good.example/"));
    assertFalse(patterns.matches("http://(/"));
    for (String none : new String[] {null, "", " , "}) {
      assertFalse(new HostPatterns(none).matches("http://good.example/"));
    }
    assertTrue(new HostPatterns("*").matches("no URL at all"));
    assertFalse(new HostPatterns("?").matches("no URL at all"));
  }

  @Test
  void hostsOfAnyUrl() {
    assertEquals("a.example", HostPatterns.host("http://A.example"));
    assertEquals("a.example", HostPatterns.host("ftp://u:p@a.example:21/x@y"));
    assertEquals("[::1]", HostPatterns.host("http://[::1]:80/"));
    assertEquals("[::1]", HostPatterns.host("http://[::1]/"));
    assertEquals("", HostPatterns.host("mailto:someone@a.example"));
    assertEquals("", HostPatterns.host(""));
    assertEquals("", HostPatterns.host("http://"));
  }

  @Test
  void sitesOfAnyUrl() {
    assertEquals("example.co.uk", BandMapper.site("http://a.b.example.co.uk/x"));
    assertEquals("user.github.io", BandMapper.site("https://user.github.io/"));
    assertEquals("192.168.0.1", BandMapper.site("http://192.168.0.1:8080/"));
    assertEquals("localhost", BandMapper.site("http://localhost/"));
    for (String none : new String[] {"", "mailto:x", "http://", "http://[::1/", "://"}) {
      assertEquals(HostPatterns.host(none), BandMapper.site(none), none);
    }
  }
}
