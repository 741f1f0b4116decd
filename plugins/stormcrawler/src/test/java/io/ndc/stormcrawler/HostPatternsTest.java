package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
    HostPatterns several = new HostPatterns("a.example,/w{1,2}(x|, |a/b)\\.example/ b.example");
    assertEquals(List.of(), several.errors());
    for (String host : new String[] {"a.example", "wx.example", "wwx.example", "w, .example", "b.example"}) {
      assertTrue(several.matches("http://" + host + "/"), host);
    }
    assertFalse(several.matches("http://wwwx.example/"));
    assertTrue(patterns.matches("http://wiki" + "1".repeat(241) + ".example/"));
    assertFalse(patterns.matches("http://wiki" + "1".repeat(242) + ".example/"), "longer than any host");
  }

  @Test
  void manyStarsTakeNoTimeWorthSpeakingOf() {
    HostPatterns patterns = new HostPatterns("*-*-*-*-*-*-*-*-*.example **a**b**");
    String host = "-x".repeat(50_000);
    assertFalse(patterns.matches("http://" + host + "/"));
    assertTrue(patterns.matches("http://" + host + ".example/"));
    assertTrue(patterns.matches("http://xaxbx/"));
    assertTrue(patterns.matches("http://ab/"));
    assertFalse(patterns.matches("http://bxa/"));
  }

  @Test
  void whatCannotBeReadMatchesNothing() {
    HostPatterns patterns = new HostPatterns("/(/ good.example");
    assertTrue(patterns.matches("http://good.example/"));
    assertFalse(patterns.matches("http://(/"));
    assertEquals(1, patterns.errors().size());
    assertTrue(patterns.errors().get(0).contains("'/(/'"), patterns.errors().get(0));
    for (String broken : new String[] {"/", "//", "/a.example", "/a.example/b"}) {
      HostPatterns others = new HostPatterns("x.example," + broken + ", good.example");
      assertTrue(others.matches("http://good.example/"), broken);
      assertTrue(others.matches("http://x.example/"), broken);
      assertEquals(1, others.errors().size(), broken);
      assertTrue(others.errors().get(0).contains("'" + broken + "'"), others.errors().get(0));
    }
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
}
