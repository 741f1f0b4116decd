package io.ndc.crawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Patterns of hosts, of which hostile ones must not take long to match. */
class HostPatternsTest {
  private static HostPatterns read(String text) {
    return HostPatterns.read(text, error -> {
      throw new AssertionError(error);
    });
  }

  @Test
  void aNameIsThatHostAlone() {
    HostPatterns patterns = HostPatterns.of(List.of("example.org"));
    assertTrue(patterns.matches("example.org"));
    assertTrue(patterns.matches("EXAMPLE.org"));
    assertFalse(patterns.matches("www.example.org"));
    assertFalse(patterns.matches("example.organic"));
    assertFalse(patterns.matches("exampleXorg"), "a dot is a dot");
  }

  @Test
  void aStarIsAnything() {
    HostPatterns patterns = HostPatterns.of(List.of(" *.Example.org ", "wiki*.example.com", "10.0.*"));
    assertEquals(List.of("*.example.org", "wiki*.example.com", "10.0.*"), patterns.patterns());
    assertTrue(patterns.matches("a.b.example.org"));
    assertFalse(patterns.matches("example.org"));
    assertTrue(patterns.matches("wiki.example.com"));
    assertTrue(patterns.matches("wiki-2.example.com"));
    assertTrue(patterns.matches("10.0.0.1"));
    assertTrue(HostPatterns.of(List.of("*")).matches("any.host"));
    assertTrue(HostPatterns.of(List.of("[::1]")).matches("[::1]"));
  }

  @Test
  void manyStarsMatchAsOne() {
    HostPatterns patterns = HostPatterns.of(List.of("*-*-b*.example", "a**c", "*x"));
    assertTrue(patterns.matches("--b.example"));
    assertTrue(patterns.matches("a-b-c-b-b2.example"));
    assertFalse(patterns.matches("a-b.example"));
    assertFalse(patterns.matches("a-b-b.example.org"));
    assertTrue(patterns.matches("ac"));
    assertTrue(patterns.matches("abcabc"));
    assertFalse(patterns.matches("abca"));
    assertTrue(patterns.matches("xyxx"));
  }

  @Test
  void manyStarsTakeNoTimeWorthSpeakingOf() {
    // By backtracking this takes longer than the test may.
    HostPatterns many = HostPatterns.of(List.of("*-".repeat(100) + "*.example"));
    assertFalse(many.matches("-".repeat(255)));
    assertTrue(many.matches("-".repeat(240) + ".example"));
    HostPatterns patterns = read("*-*-*-*-*-*-*-*-*.example **a**b**");
    String host = "-x".repeat(50_000);
    assertFalse(patterns.matchesUrl("http://" + host + "/"));
    assertTrue(patterns.matchesUrl("http://" + host + ".example/"));
    assertTrue(patterns.matchesUrl("http://xaxbx/"));
    assertTrue(patterns.matchesUrl("http://ab/"));
    assertFalse(patterns.matchesUrl("http://bxa/"));
  }

  @Test
  void hostsOfUrlsMatch() {
    HostPatterns patterns = read(" www.one.example, *.two.example\n192.168.*  EXAMPLE.org");
    assertTrue(patterns.matchesUrl("http://www.one.example/"));
    assertTrue(patterns.matchesUrl("https://user@WWW.one.example:8080?x"));
    assertTrue(patterns.matchesUrl("http://a.b.two.example/page"));
    assertTrue(patterns.matchesUrl("http://192.168.0.1/"));
    assertTrue(patterns.matchesUrl("http://example.org"));
    assertFalse(patterns.matchesUrl("http://one.example/"));
    assertFalse(patterns.matchesUrl("http://two.example/"));
    assertFalse(patterns.matchesUrl("http://wwwXone.example/"));
    assertFalse(patterns.matchesUrl("http://other.example/www.one.example"));
    assertTrue(read("*").matchesUrl("no URL at all"));
    assertFalse(read("?").matchesUrl("no URL at all"));
  }

  @Test
  void regularExpressionsStandBetweenSlashes() {
    HostPatterns patterns = read("/(forum|wiki)[0-9]+\\.EXAMPLE/");
    assertTrue(patterns.matches("wiki12.example"));
    assertTrue(patterns.matches("Wiki12.Example"));
    assertFalse(patterns.matches("wiki.example"));
    assertTrue(patterns.matches("wiki" + "1".repeat(241) + ".example"));
    assertFalse(patterns.matches("wiki" + "1".repeat(242) + ".example"), "longer than any host");
    HostPatterns several = read("a.example,/w{1,2}(x|, |a/b)\\.example/ b.example");
    for (String host : new String[] {"a.example", "wx.example", "wwx.example", "w, .example", "b.example"}) {
      assertTrue(several.matchesUrl("http://" + host + "/"), host);
    }
    assertFalse(several.matchesUrl("http://wwwx.example/"));
    assertTrue(HostPatterns.of(List.of(" /\\D+/ ")).matches("example"));
    assertFalse(HostPatterns.of(List.of("/\\D+/")).matches("1"));
  }

  @Test
  void whatCannotBeReadMatchesNothing() {
    for (String broken : new String[] {"/", "//", "/(/", "/a.example", "/a.example/b", "http://a.example", "a:80"}) {
      List<String> errors = new ArrayList<>();
      HostPatterns patterns = HostPatterns.read("x.example," + broken + ", good.example", errors::add);
      assertEquals(List.of("x.example", "good.example"), patterns.patterns(), broken);
      assertTrue(patterns.matches("good.example"), broken);
      assertFalse(patterns.matches("a.example"), broken);
      assertEquals(1, errors.size(), broken);
      assertTrue(errors.get(0).contains("'" + broken + "'"), errors.get(0));
    }
  }

  @Test
  void nothingMatchesNothing() {
    for (String none : new String[] {null, "", " , "}) {
      assertFalse(read(none).matchesUrl("http://good.example/"));
      assertFalse(read(none).matches(""));
    }
    assertFalse(HostPatterns.NONE.matches("example.org"));
    assertFalse(HostPatterns.of(List.of("*")).matches(null));
  }

  @Test
  void whatNoHostCanMatchIsRefused() {
    for (String wrong :
        new String[] {"", "  ", "http://example.org", "example.org/path", "example.org:80", "a b", "/(/"}) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> HostPatterns.of(List.of(wrong)));
      assertTrue(refused.getMessage().contains("'" + wrong.strip() + "'"), refused.getMessage());
    }
    assertThrows(NullPointerException.class, () -> HostPatterns.of(Arrays.asList("example.org", null)));
  }

  @Test
  void hostsOfAnyUrl() {
    assertEquals("a.example", HostPatterns.hostOf("http://A.example"));
    assertEquals("a.example", HostPatterns.hostOf("ftp://u:p@a.example:21/x@y"));
    assertEquals("[::1]", HostPatterns.hostOf("http://[::1]:80/"));
    assertEquals("[::1]", HostPatterns.hostOf("http://[::1]/"));
    assertEquals("", HostPatterns.hostOf("mailto:someone@a.example"));
    assertEquals("", HostPatterns.hostOf(""));
    assertEquals("", HostPatterns.hostOf("http://"));
  }
}
