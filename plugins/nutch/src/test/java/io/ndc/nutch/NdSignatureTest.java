package io.ndc.nutch;

import static io.ndc.nutch.crawl.Contents.words;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Page;
import io.ndc.Signature;
import io.ndc.nutch.crawl.Contents;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.SignatureFactory;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;
import org.junit.jupiter.api.Test;

/** Signatures of whatever Nutch may fetch: broken content and failures have the stock signature, and nothing throws. */
class NdSignatureTest {
  private final Configuration conf = NutchConfiguration.create();

  private byte[] calculate(Content content, String text) {
    NdSignature signature = new NdSignature();
    signature.setConf(conf);
    return signature.calculate(content, text == null ? null : new ParseImpl(text, new ParseData()));
  }

  private byte[] stock(Content content) {
    return new MD5Signature().calculate(content, null);
  }

  @Test
  void isTheSketchOfTheRawContent() {
    conf.set("db.signature.class", NdSignature.class.getName());
    assertInstanceOf(NdSignature.class, SignatureFactory.getSignature(conf));
    Content content = Contents.html(conf, "http://x.example/", words(0, 200), null);
    byte[] expected = Signature.compute(Page.of("http://x.example/", content.getContent())
        .withContentType("text/html; charset=utf-8"), Map.of());
    assertArrayEquals(expected, calculate(content, "something else"));
    assertArrayEquals(expected, calculate(content, null));
    assertTrue(expected.length > 16 && expected.length <= Byte.MAX_VALUE, "its length is read back as a signed byte");
  }

  @Test
  void theEnginesOptionsAreNotItsOwn() {
    Content content = Contents.html(conf, "http://x.example/", words(0, 200), null);
    byte[] expected = calculate(content, null);
    conf.set("nd.option.overlay", "true");
    conf.set("nd.option.same_document", "0.9");
    conf.set("nd.option.x_relaxed_keys", "3");
    assertArrayEquals(expected, calculate(content, null));
    conf.set("nd.option.tokens_limit", "100");
    assertFalse(Arrays.equals(expected, calculate(content, null)), "how pages are read is");
  }

  @Test
  void theHeaderNamesTheCharset() {
    String text = "Crème brûlée à l'été, déjà prêt où la forêt s'éveille près du château brûlé. "
        .repeat(3);
    Content latin = Contents.content(conf, "http://x.example/", ("<p>" + text).getBytes(StandardCharsets.ISO_8859_1),
        "text/html; charset=iso-8859-1", null);
    Content utf8 = Contents.content(conf, "http://x.example/", ("<p>" + text).getBytes(StandardCharsets.UTF_8),
        "text/html; charset=utf-8", null);
    assertArrayEquals(calculate(utf8, null), calculate(latin, null));
  }

  @Test
  void whereOnlyTheParserFindsTextItIsOfThat() {
    byte[] pdf = "%PDF-1.4 not much of one".getBytes(StandardCharsets.UTF_8);
    Content content = Contents.content(conf, "http://x.example/a.pdf", pdf, "application/pdf", null);
    byte[] signature = calculate(content, words(0, 200));
    assertTrue(signature.length > 16);
    assertTrue(Signature.compare(signature, calculate(Contents.content(conf, "http://x.example/b.pdf", pdf,
        "application/pdf", null), words(5, 200))) > .5);
    assertArrayEquals(stock(content), calculate(content, " \n"));
    assertArrayEquals(stock(content), calculate(content, null));
  }

  @Test
  void emptyAndBrokenContentHasTheStockSignature() {
    for (String body : new String[] {null, "", "\0", "<", "   "}) {
      Content content = Contents.content(conf, "http://x.example/empty", new byte[0], "text/html", null);
      content.setContent(body == null ? null : body.getBytes(StandardCharsets.UTF_8));
      assertArrayEquals(stock(content), calculate(content, null), body);
    }
    assertEquals(16, calculate(new Content(), null).length, "no URL, no content, no metadata");
    assertEquals(16, calculate(null, null).length);
  }

  @Test
  void noBytesMakeItThrow() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[random.nextInt(3000)];
      random.nextBytes(body);
      String type = new String[] {"text/html", "", "text/html; charset=klingon", "\0;;=", null}[i % 5];
      byte[] signature = calculate(Contents.content(conf, "http://x.example/" + i, body, type, null), null);
      assertTrue(signature.length > 0 && signature.length <= Byte.MAX_VALUE);
    }
  }

  @Test
  void failuresGiveTheStockSignatureAndAreCounted() {
    conf.set("nd.option.content_width", "wide");
    long before = NdSignature.failures();
    Content content = Contents.html(conf, "http://x.example/", words(0, 200), null);
    assertArrayEquals(stock(content), calculate(content, null));
    assertEquals(before + 1, NdSignature.failures());
    Content bare = Contents.html(conf, "http://x.example/", words(0, 200), null);
    bare.setMetadata(new Metadata());
    assertArrayEquals(stock(bare), calculate(bare, null));
    assertEquals(before + 2, NdSignature.failures());
  }

  @Test
  void excludedHostsHaveTheStockSignature() {
    conf.set("nd.exclude.hosts", "*.x.example");
    Content excluded = Contents.html(conf, "http://www.x.example/", words(0, 200), null);
    assertArrayEquals(stock(excluded), calculate(excluded, null));
    assertFalse(Arrays.equals(stock(excluded), calculate(Contents.html(conf, "http://x.example/", words(0, 200), null),
        null)));
  }
}
