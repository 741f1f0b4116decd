package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The key of a page: equal for the same fetch, and different for each other one. */
class PageKeyTest {
  @Test
  void isTheMd5OfTheUrlAndTheTime() throws Exception {
    // "http://a.example/" in UTF-8, ff, 1 as eight bytes.
    byte[] bytes = HexFormat.of().parseHex("687474703a2f2f612e6578616d706c652f" + "ff" + "0000000000000001");
    byte[] md5 = MessageDigest.getInstance("MD5").digest(bytes);
    assertEquals(HexFormat.of().formatHex(md5), PageKey.text(PageKey.of("http://a.example/", 1)));
  }

  @Test
  void aPageThatIsFetchedAgainHasAnother() {
    assertNotEquals(PageKey.text(PageKey.of("http://a.example/", 1)), PageKey.text(PageKey.of("http://a.example/", 2)));
    assertNotEquals(PageKey.text(PageKey.of("http://a.example/", 1)), PageKey.text(PageKey.of("http://b.example/", 1)));
  }

  @Test
  void has32Digits() {
    assertEquals(32, PageKey.text(PageKey.of("", 0)).length());
  }
}
