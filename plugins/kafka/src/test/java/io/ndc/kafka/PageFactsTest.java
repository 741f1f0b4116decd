package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Whose model a page belongs to, also where its URL is made to take long. */
class PageFactsTest {
  private static void expect(String host, String url) {
    assertEquals(host, PageFacts.host(url, "site.example"), url);
  }

  @Test
  void aHostIsWithoutWwwAndWhatIsAround() {
    expect("a.example", "http://www.A.example/");
    expect("a.example", " https://user@a.example.:80/www.b");
    expect("www", "http://www./");
    expect("[::1]", "http://[::1]:80/");
    expect("site.example", "http://. /");
    expect("site.example", "a.example");
    assertEquals("", PageFacts.host("http://10.0.0.1/", ""));
  }

  @Test
  void aMegabyteOfBlanksTakesNoTime() {
    String blanks = "\u0001".repeat(1 << 20);
    expect(blanks + "x", "http://" + blanks + "x./");
  }
}
