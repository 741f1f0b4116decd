package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations and extracts with types say what the JSON says, as another reader of JSON understands it. */
class TypedAnswersTest {
  private static final String HTML = "text/html; charset=utf-8";

  @Test
  void anExplanationSaysWhatItsJsonSays() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Options.builder().keepText(true).build())) {
      long first = pages.check("http://a.example/ü", Texts.page(1), HTML).pageId();
      long near = pages.check("http://b.example/", Texts.page(1, "Ein \"Satz\" \\ mehr, über Wale \ud83d\udc33."), HTML)
                      .pageId();
      long other = pages.check("http://c.example/", Texts.page(2), HTML).pageId();
      Explanation explanation = pages.explainPages(first, near);
      JsonObject json = JsonParser.parseString(pages.explain(first, near)).getAsJsonObject();
      assertEquals(Verdict.NEAR, explanation.verdict());
      assertEquals(new Explanation.Side(first, "http://a.example/ü", "a.example",
                       json.getAsJsonObject("a").get("width").getAsLong(),
                       json.getAsJsonObject("a").get("content_width").getAsLong()),
          explanation.a());
      assertEquals(near, explanation.b().pageId());
      assertEquals(json.get("rule").getAsString(), explanation.rule());
      assertEquals(json.get("resemblance").getAsDouble(), explanation.resemblance());
      assertEquals(json.get("containment").getAsDouble(), explanation.containment());
      assertEquals(json.get("page_coverage").getAsDouble(), explanation.pageCoverage());
      assertEquals(json.get("matched_coverage").getAsDouble(), explanation.matchedCoverage());
      assertEquals(json.get("probability").getAsDouble(), explanation.probability());
      assertEquals(json.get("matched_width").getAsLong(), explanation.matchedWidth());
      assertEquals(json.get("shared_keys").getAsLong(), explanation.sharedKeys());
      assertEquals("document", explanation.decision());
      assertEquals(json.getAsJsonObject("decided_by").get("option").getAsString(), explanation.decidedBy().option());
      assertNull(explanation.detected());
      assertFalse(explanation.limited());
      assertEquals(NearDuplicates.version(), explanation.version());
      assertSegments(json.getAsJsonArray("segments"), explanation.segments());
      assertTrue(explanation.segments().stream().anyMatch(segment -> segment.text().contains("über wale")));
      assertEquals(Verdict.NEW, pages.explainPages(first, other).verdict());
      assertEquals(explanation, pages.explainPages(first, near));
      assertThrows(NotFoundException.class, () -> pages.explainPages(first, 999));
    }
  }

  @Test
  void anExplanationTellsTheBoilerplateThatWasLearned() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      long first = pages.check("http://one.example/0", pageOfSite(0), HTML).pageId();
      long copy = pages.check("http://two.example/0", pageOfSite(0), HTML).pageId();
      assertEquals(List.of(), pages.explainPages(first, copy).boilerplateOfA());
      for (int seed = 1; seed < 12; ++seed) {
        pages.check("http://one.example/" + seed, pageOfSite(seed), HTML);
      }
      Explanation explanation = pages.explainPages(first, copy);
      assertEquals(new Explanation.TokenRange(0, 5), explanation.boilerplateOfA().get(0));
      assertEquals(List.of(), explanation.boilerplateOfB());
      assertEquals(explanation.boilerplateOfA(), pages.explainPages(copy, first).boilerplateOfB());
    }
  }

  private static byte[] pageOfSite(int seed) {
    String text = new String(Texts.page(seed), StandardCharsets.UTF_8);
    return text.replace("<body>", "<body><p>daily news of the coast</p>").getBytes(StandardCharsets.UTF_8);
  }

  private static void assertSegments(JsonArray json, List<Explanation.Segment> segments) {
    assertEquals(json.size(), segments.size());
    for (int i = 0; i < segments.size(); ++i) {
      JsonObject one = json.get(i).getAsJsonObject();
      Explanation.Segment segment = segments.get(i);
      assertEquals(one.get("kind").getAsString().toUpperCase(java.util.Locale.ROOT), segment.kind().name());
      assertEquals(one.get("a").toString(), "[" + segment.aBegin() + "," + segment.aEnd() + "]");
      assertEquals(one.get("b").toString(), "[" + segment.bBegin() + "," + segment.bEnd() + "]");
      assertEquals(one.get("text").getAsString(), segment.text());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"spotsigs", "i-match-s", "lsh-s", "moz-vector", "simhash64", "mwo", "shingles", "cosine", "exact"})
  void
  anotherDetectorSaysWhatItCompared(String detector) {
    for (String decide : List.of("lcs", "method")) {
      try (NearDuplicates pages = NearDuplicates.inMemory(Map.of("detector", detector, "decide", decide))) {
        long first = pages.check("http://a.example/", Texts.page(1), HTML).pageId();
        for (byte[] body : List.of(Texts.page(1, "One sentence more."), Texts.page(2), Texts.page(1), new byte[0])) {
          long second = pages.check("http://b.example/" + body.length, body, HTML).pageId();
          Explanation.Detected detected = pages.explainPages(first, second).detected();
          JsonObject json = JsonParser.parseString(pages.explain(first, second)).getAsJsonObject();
          assertEquals(detector, detected.detector());
          assertEquals(json.get("score").getAsDouble(), detected.score());
          assertEquals(json.getAsJsonObject("compared").get("unit").getAsString(), detected.unit());
          assertEquals(json.getAsJsonObject("compared").get("shared").getAsLong(), detected.shared());
        }
      }
    }
  }

  @Test
  void anExtractSaysWhatItsJsonSays() {
    String html = "<!doctype html><html lang=de><head><title>Der \"Leuchtturm\" &amp; \u0001\ud83d\udea8</title>"
        + "<meta name=keywords content='Turm, Licht'><link rel=canonical href='/turm#licht'>"
        + "<link rel=alternate hreflang=en href='http://a.example/en'></head><body><nav><a href=/>Start</a></nav>"
        + "<article><h1>Der Leuchtturm</h1>"
        + "<p>Der Rat will den alten Leuchtturm vor dem Frühling neu bauen.</p></article>";
    Page page = Page.of("http://a.example/", html.getBytes(StandardCharsets.UTF_8), HTML);
    ExtractedPage extract = NearDuplicates.extractPage(page, null);
    JsonObject json = JsonParser.parseString(NearDuplicates.extract(page, null)).getAsJsonObject();
    assertEquals("html", extract.kind());
    assertEquals("utf-8", extract.charset());
    assertEquals("http", extract.charsetSource());
    for (Map.Entry<String, String> text :
        Map.of("title", extract.title(), "language", extract.language(), "keywords", extract.keywords(), "description",
               extract.description(), "canonical", extract.canonical(), "canonical_url", extract.canonicalUrl(), "site",
               extract.site())
            .entrySet()) {
      assertEquals(json.get(text.getKey()).getAsString(), text.getValue(), text.getKey());
    }
    assertEquals("/turm#licht", extract.canonical());
    assertEquals("http://a.example/turm", extract.canonicalUrl());
    assertEquals(List.of(new ExtractedPage.Alternate("en", "http://a.example/en")), extract.alternates());
    for (Map.Entry<String, Long> count :
        Map.of("width", extract.width(), "content_width", extract.contentWidth(), "tokens", extract.tokens(),
               "sentences", extract.sentences(), "fingerprints", extract.fingerprints(), "keys", extract.keys())
            .entrySet()) {
      assertEquals(json.get(count.getKey()).getAsLong(), count.getValue(), count.getKey());
    }
    assertEquals(json.getAsJsonArray("blocks").size(), extract.blocks().size());
    ExtractedPage.Block heading =
        extract.blocks().stream().filter(block -> block.context().contains("heading")).findFirst().orElseThrow();
    assertEquals("der leuchtturm", heading.text());
    assertEquals(2, heading.words());
    assertFalse(extract.limited());
    try (PageReader reader = PageReader.open(null)) {
      assertEquals(extract, reader.extractPage(page));
    }
    ExtractedPage nothing = NearDuplicates.extractPage(
        Page.of("", new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10}), Options.builder().build());
    assertEquals("none", nothing.kind());
    assertEquals(List.of(), nothing.blocks());
  }

  /** Whatever is in a page, the binding reads the library's JSON as Gson does. */
  @Test
  void pagesOfAllKindsAreReadAsGsonReadsThem() throws IOException {
    String cases = Files.readString(Places.source("tests/conformance/cases.json"));
    int count = 0;
    for (JsonElement one : JsonParser.parseString(cases).getAsJsonObject().getAsJsonArray("cases")) {
      JsonObject pages = one.getAsJsonObject().getAsJsonObject("pages");
      if (pages == null)
        continue;
      for (JsonElement each : pages.asMap().values()) {
        JsonElement body = each.getAsJsonObject().get("body");
        if (body == null || !body.isJsonPrimitive())
          continue;
        Page page = Page.of("http://a.example/", body.getAsString().getBytes(StandardCharsets.UTF_8), HTML);
        JsonArray blocks =
            JsonParser.parseString(NearDuplicates.extract(page, null)).getAsJsonObject().getAsJsonArray("blocks");
        List<String> expected =
            blocks.asList().stream().map(block -> block.getAsJsonObject().get("text").getAsString()).toList();
        assertEquals(
            expected, NearDuplicates.extractPage(page, null).blocks().stream().map(ExtractedPage.Block::text).toList());
        ++count;
      }
    }
    assertTrue(count > 50, "only " + count + " pages");
  }

  @Test
  void jsonIsReadAsItIsDefined() {
    String text =
        " { \"a\" : [ 1 , -2.5e3 , true, false, null, \"\\u00fc\\ud83d\\ude00\\n\\\"\\\\\\/\" ] , \"b\":{} } ";
    assertTrue(JsonReader.object(text).has("b"));
    assertEquals("ü\ud83d\ude00\n\"\\/\t\b\f\r",
        JsonReader.object("{\"s\":\"\\u00fc\\ud83d\\ude00\\n\\\"\\\\\\/\\t\\b\\f\\r\"}").string("s"));
    assertEquals(Long.MAX_VALUE, JsonReader.object("{\"n\":9223372036854775807}").count("n"));
    assertFalse(JsonReader.object("{\"n\":null}").has("n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":\"",
                   "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":tru}", "{a:1}", "{\"a\":[1,]}", "{\"a\":[1}",
                   "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\"})
  void
  whatIsNoJsonIsAFaultOfTheLibrary(String text) {
    assertThrows(InternalException.class, () -> JsonReader.object(text));
  }

  @Test
  void whatIsNestedTooDeepOrOfAnotherTypeIsAFaultOfTheLibrary() {
    assertThrows(InternalException.class,
        ()
            -> JsonReader.object("{\"a\":"
                + "[".repeat(100_000)));
    io.ndc.JsonObject json = JsonReader.object("{\"text\":\"x\",\"number\":1.5,\"list\":[1,\"x\"],\"three\":[1,2,3]}");
    assertThrows(InternalException.class, () -> json.string("missing"));
    assertThrows(InternalException.class, () -> json.string("number"));
    assertThrows(InternalException.class, () -> json.count("number"));
    assertThrows(InternalException.class, () -> json.number("text"));
    assertThrows(InternalException.class, () -> json.strings("list"));
    assertThrows(InternalException.class, () -> json.objects("list"));
    assertThrows(InternalException.class, () -> json.range("three"));
    assertThrows(InternalException.class, () -> json.object("text"));
    assertThrows(InternalException.class, () -> json.flag("text"));
  }
}
