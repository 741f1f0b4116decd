package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** null, empty, huge, broken. */
class HostileInputTest {
  private static final byte[] BODY = Texts.page(1);
  private static final Page PAGE = Page.of("http://a.example/", BODY);

  @TestFactory
  Stream<DynamicTest> aNullThatIsNotAllowedIsAnInvalidArgument() {
    NearDuplicates pages = NearDuplicates.inMemory(null);
    Map<String, Executable> calls = Map.ofEntries(
        Map.entry("check url", () -> pages.check(null, BODY, "")),
        Map.entry("check body", () -> pages.check("u", null, "")),
        Map.entry("check page", () -> pages.check(null)),
        Map.entry("query url", () -> pages.query(null, BODY, "")),
        Map.entry("query body", () -> pages.query("u", null, "")),
        Map.entry("query page", () -> pages.query(null)),
        Map.entry("checkFeatures", () -> pages.checkFeatures(null)),
        Map.entry("queryFeatures", () -> pages.queryFeatures(null)),
        Map.entry("applyOutcome", () -> pages.applyOutcome(new byte[0], null)),
        Map.entry("remove", () -> pages.remove(null)),
        Map.entry("removeMatching", () -> pages.removeMatching(null)),
        Map.entry("filter prefix", () -> RemovalFilter.urlPrefix(null)),
        Map.entry("filter site", () -> RemovalFilter.site(null)),
        Map.entry("filter with prefix", () -> RemovalFilter.site("a").withUrlPrefix(null)),
        Map.entry("find", () -> pages.find(null)),
        Map.entry("setBookmark name", () -> pages.setBookmark(null, new byte[1])),
        Map.entry("setBookmark data", () -> pages.setBookmark("n", null)),
        Map.entry("bookmark", () -> pages.bookmark(null)),
        Map.entry("open path", () -> NearDuplicates.open(null, Map.of())),
        Map.entry("option key", () -> NearDuplicates.inMemory(Collections.singletonMap(null, "1"))),
        Map.entry("option value", () -> NearDuplicates.inMemory(Collections.singletonMap("keep_text", null))),
        Map.entry("extract", () -> NearDuplicates.extract(null, Map.of())),
        Map.entry("features", () -> Features.compute(null, Map.of())),
        Map.entry("feature info", () -> Features.info(null)),
        Map.entry("representative", () -> Features.representative(null, null)),
        Map.entry("feature keys", () -> Features.keys(null)),
        Map.entry("feature parts", () -> Features.parts(null)),
        Map.entry("site of features", () -> Features.withSite(null, new byte[0])),
        Map.entry("site of nothing", () -> Features.withSite(new byte[0], null)),
        Map.entry("learn", () -> new SiteModel().learn(null)),
        Map.entry("forget", () -> new SiteModel().forget(null)),
        Map.entry("merge", () -> new SiteModel().merge(null)),
        Map.entry("save", () -> new SiteModel().save(null)),
        Map.entry("compare first", () -> Features.decide(null, new byte[0], Map.of())),
        Map.entry("compare second", () -> Features.decide(new byte[0], null, Map.of())),
        Map.entry("signature", () -> Signature.compute(null, Map.of())),
        Map.entry("signature keys", () -> Signature.keys(null)),
        Map.entry("signature compare first", () -> Signature.compare(null, new byte[0])),
        Map.entry("signature compare second", () -> Signature.compare(new byte[0], null)),
        Map.entry("page url", () -> Page.of(null, BODY)),
        Map.entry("page body", () -> Page.of("u", (byte[]) null)),
        Map.entry("page buffer", () -> Page.of("u", (ByteBuffer) null)));
    return calls.entrySet().stream()
        .map(call -> DynamicTest.dynamicTest(call.getKey(), () -> {
          InvalidArgumentException thrown = assertThrows(InvalidArgumentException.class, call.getValue());
          assertTrue(thrown.getMessage().matches(".* is null(: .+)?"), thrown.getMessage());
        }));
  }

  @Test
  void aNullThatMayMeanSomethingSaysWhatToCall() {
    assertEquals("the store's path is null: NearDuplicates.inMemory(options) needs none",
        assertThrows(InvalidArgumentException.class, () -> NearDuplicates.open(null, Map.of())).getMessage());
    assertEquals("the URL is null: pass \"\", and each page is a new one",
        assertThrows(InvalidArgumentException.class, () -> Page.of(null, BODY)).getMessage());
    assertEquals("the body is null: pass new byte[0] for a page without one",
        assertThrows(InvalidArgumentException.class, () -> Page.of("u", (byte[]) null)).getMessage());
  }

  @Test
  void noContentTypeAndNoOptionsAreFine() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      assertEquals(Verdict.NEW, pages.check("u", BODY, null).verdict());
      assertEquals(Verdict.UNCHANGED, pages.check("u", BODY, "").verdict());
    }
    assertEquals(Verdict.EXACT,
        Features.decide(Features.compute(PAGE, null), Features.compute(PAGE, Map.of()), null).verdict());
    assertEquals(1.0, Signature.compare(Signature.compute(PAGE, null), Signature.compute(PAGE, null)));
    NearDuplicates.extract(PAGE, null);
  }

  @Test
  void aUrlIsAnyString() {
    List<String> urls = List.of("http://a.example/?q=\0", "http://a.example/?q=", "\0", "\0\0",
        "http://ü.example/日本", "\uD83D\uDE00", "\uD83D", "\uDE00", "\uDE00\uD83D", "\uD83D?", "?", "\uFFFD",
        "a\uD800b\uDC00c\uD800\uDC00d",
        " ", "\n", "%00", "http://[", "javascript:alert(1)");
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (String url : urls) {
        assertEquals(0, pages.query(url, BODY, "").pageId(), () -> "known before: " + url);
        long id = pages.check(url, BODY, "text/html").pageId();
        assertEquals(url, pages.page(id).orElseThrow().url());
        assertEquals(id, pages.find(url).orElseThrow().pageId());
      }
      assertEquals(urls, pages.members(1).stream().map(PageInfo::url).toList());
      pages.explain(7, 8);
      for (String url : urls) {
        assertTrue(pages.remove(url), url);
      }
      assertEquals(0, pages.stats().pages());
    }
  }

  @Test
  void anEmptyUrlIsANewPageEachTime() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      pages.check("", BODY, "");
      pages.check("", BODY, "");
      assertEquals(2, pages.stats().pages());
      assertEquals("", pages.page(2).orElseThrow().url());
    }
  }

  @Test
  void aUrlMayBeLongButNotTooLong() {
    String longest = "u".repeat(1 << 20);
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      long id = pages.check(longest, BODY, "").pageId();
      assertEquals(longest, pages.page(id).orElseThrow().url());
      assertThrows(NearDuplicatesException.class, () -> pages.check(longest + "u", BODY, ""));
      assertThrows(NearDuplicatesException.class, () -> pages.check("\uD800".repeat(1 << 20), BODY, ""));
      assertEquals(1, pages.stats().pages());
    }
  }

  @Test
  void aContentTypeIsAnyString() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (String type : List.of("\0", "\uD800", "text/html; charset=\0", "text/html; charset=no-such", ";;;",
               "x".repeat(1 << 20), "ü/ü")) {
        pages.query("u", BODY, type);
      }
    }
  }

  @Test
  void optionsAreChecked() {
    for (Map<String, String> wrong : List.of(Map.of("", ""), Map.of("resemblence", "0.5"), Map.of("resemblance", "2"),
             Map.of("resemblance", "0.5\0"), Map.of("resemblance\0", "0.5"), Map.of("\uD800", "\uD800"),
             Map.of("k".repeat(1 << 20), "v"), Map.of("resemblance", "9".repeat(1 << 20)))) {
      InvalidArgumentException thrown =
          assertThrows(InvalidArgumentException.class, () -> NearDuplicates.inMemory(wrong));
      assertTrue(thrown.getMessage().length() > 10, thrown.getMessage());
      assertThrows(InvalidArgumentException.class, () -> Features.compute(PAGE, wrong));
      assertThrows(InvalidArgumentException.class, () -> Signature.compute(PAGE, wrong));
      assertThrows(InvalidArgumentException.class, () -> NearDuplicates.extract(PAGE, wrong));
    }
    assertTrue(assertThrows(InvalidArgumentException.class, () -> NearDuplicates.inMemory(Map.of("resemblence", "0.5")))
                   .getMessage()
                   .contains("resemblance"));
  }

  @Test
  void aFilterNeedsACondition() {
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.urlPrefix(""));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.site(""));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(Instant.EPOCH));
    assertThrows(InvalidArgumentException.class, () -> RemovalFilter.fetchedBefore(Instant.MIN));
  }

  @Test
  void aHugeBodyIsCutNotRefused() {
    byte[] huge = new byte[200 << 20];
    Arrays.fill(huge, (byte) 'x');
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      Result result = pages.check("u", huge, "text/html");
      assertTrue(result.flags().contains(Flag.TRUNCATED), result.toString());
    }
  }

  @Test
  void noBytesAreTooBroken() {
    Random random = new Random(6);
    byte[] html = Texts.page(3);
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (int i = 0; i < 300; ++i) {
        byte[] broken = html.clone();
        for (int n = random.nextInt(200); n > 0; --n) {
          broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
        }
        pages.check(Page.of("http://a.example/" + i, ByteBuffer.wrap(broken, 0, random.nextInt(broken.length))));
        random.nextBytes(broken);
        pages.check("http://b.example/" + i, broken,
            i % 2 == 0 ? "text/html" : new String(broken, 0, 20, StandardCharsets.ISO_8859_1));
      }
      assertEquals(600, pages.stats().checks());
    }
  }

  /** A native stack overflow would end the JVM. */
  @Test
  void aThreadWithASmallStackIsEnough() throws InterruptedException {
    List<String> bodies = List.of("<div>x ".repeat(200_000), "<table><tr><td>x ".repeat(50_000),
        "<b><i><a><p>".repeat(50_000) + "text", "<ul><li>".repeat(100_000) + "</li></ul>".repeat(100_000),
        "<svg>".repeat(100_000), "<!--".repeat(200_000), "&amp;".repeat(200_000),
        "<div " + "a=b ".repeat(200_000) + ">",
        "word ".repeat(200_000));
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    Thread thread = new Thread(null, () -> checkEverything(bodies), "small stack", 192 << 10);
    thread.setUncaughtExceptionHandler((one, failure) -> thrown.add(failure));
    thread.start();
    thread.join();
    assertEquals(List.of(), thrown);
  }

  private static void checkEverything(List<String> bodies) {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of("keep_text", "true"))) {
      for (String body : bodies) {
        Page page = Page.of("http://a.example/", body.getBytes(StandardCharsets.US_ASCII)).withContentType("text/html");
        long id = pages.check(page).pageId();
        pages.check("http://b.example/", body.getBytes(StandardCharsets.US_ASCII), "text/plain");
        pages.explain(id, id);
        NearDuplicates.extract(page, null);
        Features.decide(Features.compute(page, null), Features.compute(page, null), null);
        Signature.compute(page, null);
      }
    }
  }

  @Test
  void brokenFeaturesAndSignaturesAreRefused() {
    byte[] features = Features.compute(PAGE, Map.of());
    byte[] signature = Signature.compute(PAGE, Map.of());
    Random random = new Random(7);
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (int i = 0; i < 200; ++i) {
        byte[] broken = features.clone();
        broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
        NearDuplicatesException thrown = assertThrows(NearDuplicatesException.class, () -> pages.checkFeatures(broken));
        assertTrue(
            thrown instanceof CorruptException || thrown instanceof UnsupportedVersionException, thrown.toString());
        assertThrows(thrown.getClass(), () -> pages.queryFeatures(broken));
        assertThrows(thrown.getClass(), () -> Features.info(broken));
        assertThrows(thrown.getClass(), () -> Features.representative(broken, null));
        assertThrows(CorruptException.class, () -> Features.representative(features, broken));
        assertThrows(thrown.getClass(), () -> Features.keys(broken));
        assertThrows(thrown.getClass(), () -> Features.parts(broken));
        assertThrows(thrown.getClass(), () -> Features.withSite(broken, new SiteModel().save()));
        assertThrows(thrown.getClass(), () -> Features.decide(features, broken, null));
        byte[] cut = Arrays.copyOf(signature, random.nextInt(signature.length));
        if (cut.length > 0) assertThrows(NearDuplicatesException.class, () -> Signature.keys(cut));
      }
      assertEquals(0, pages.stats().pages());
    }
    byte[] longSignature = new byte[1 << 20];
    assertThrows(CorruptException.class, () -> Signature.compare(longSignature, signature));
  }

  @Test
  void aStoreInAnotherFileSystemIsRefused(@TempDir Path directory) throws IOException {
    try (FileSystem system = FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
      assertThrows(InvalidArgumentException.class, () -> NearDuplicates.open(system.getPath("/store"), Map.of()));
    }
  }
}
