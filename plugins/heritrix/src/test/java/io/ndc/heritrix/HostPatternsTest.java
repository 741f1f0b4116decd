package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HostPatternsTest {
  @Test
  void aNameIsThatHostAlone() {
    HostPatterns patterns = new HostPatterns(List.of("example.org"));
    assertTrue(patterns.matches("example.org"));
    assertTrue(patterns.matches("EXAMPLE.org"));
    assertFalse(patterns.matches("www.example.org"));
    assertFalse(patterns.matches("example.organic"));
    assertFalse(patterns.matches("exampleXorg"), "a dot is a dot");
  }

  @Test
  void aStarIsAnything() {
    HostPatterns patterns = new HostPatterns(List.of(" *.Example.org ", "wiki*.example.com", "10.0.*"));
    assertEquals(List.of("*.example.org", "wiki*.example.com", "10.0.*"), patterns.globs());
    assertTrue(patterns.matches("a.b.example.org"));
    assertFalse(patterns.matches("example.org"));
    assertTrue(patterns.matches("wiki.example.com"));
    assertTrue(patterns.matches("wiki-2.example.com"));
    assertTrue(patterns.matches("10.0.0.1"));
    assertTrue(new HostPatterns(List.of("*")).matches("any.host"));
    assertTrue(new HostPatterns(List.of("[::1]")).matches("[::1]"));
  }

  @Test
  void manyStarsMatchAsOne() {
    HostPatterns patterns = new HostPatterns(List.of("*-*-b*.example", "a**c", "*x"));
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
  void noHostTakesLong() {
    // By backtracking this takes longer than the test may.
    HostPatterns patterns = new HostPatterns(List.of("*-".repeat(100) + "*.example"));
    assertFalse(patterns.matches("-".repeat(255)));
    assertTrue(patterns.matches("-".repeat(240) + ".example"));
    assertFalse(new HostPatterns(List.of("*")).matches("a".repeat(256)), "longer than any host");
  }

  @Test
  void nothingMatchesNothing() {
    assertFalse(new HostPatterns(List.of()).matches("example.org"));
    assertFalse(new HostPatterns(List.of()).matches(""));
    assertFalse(new HostPatterns(List.of("*")).matches(null));
  }

  @Test
  void whatNoHostCanMatchIsRefused() {
    for (String wrong : Arrays.asList("", "  ", "http://example.org", "example.org/path", "example.org:80", "a b")) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> new HostPatterns(List.of(wrong)));
      assertTrue(refused.getMessage().contains("\"" + wrong + "\""), refused.getMessage());
    }
    assertThrows(NullPointerException.class, () -> new HostPatterns(Arrays.asList("example.org", null)));
  }
}
