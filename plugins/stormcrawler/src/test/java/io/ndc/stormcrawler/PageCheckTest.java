package io.ndc.stormcrawler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.digitalpebble.stormcrawler.Metadata;
import com.digitalpebble.stormcrawler.parse.ParseResult;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What StormCrawler passes of a page and what it learns from the answer. */
class PageCheckTest {
  private static final String TEXT =
      "Der Bürgermeister eröffnete gestern die neue Brücke über den Fluß; viele Bürger"
      + " kamen, und die Kapelle spielte bis spät in die Nacht. Der Bau hatte fünf Jahre gedauert und kostete zwölf"
      + " Millionen.";

  @TempDir
  Path folder;

  private Metadata check(Map<String, Object> conf, String url, byte[] body, String... pairs) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < pairs.length; i += 2) {
      metadata.setValue(pairs[i], pairs[i + 1]);
    }
    new PageCheck(conf).leavesOut(url, body, metadata, late -> {}).join();
    return metadata;
  }

  private Map<String, Object> conf(String store, Object... pair) {
    String path = folder.resolve(store).toString();
    return pair.length == 0 ? Map.of("nd.store", path, "protocol.md.prefix", "protocol.")
        : Map.of("nd.store", path, "protocol.md.prefix", "protocol.", (String) pair[0], pair[1]);
  }

  @Test
  void theHeaderTellsTheEncoding() {
    Map<String, Object> conf = conf("encoding");
    for (String encoding : List.of("utf-8", "windows-1252")) {
      check(conf, "http://a.example/" + encoding, TEXT.getBytes(Charset.forName(encoding)), "protocol.content-type",
          "text/plain; charset=" + encoding);
    }
    Metadata again = check(conf, "http://a.example/windows-1252", TEXT.getBytes(Charset.forName("windows-1252")),
        "protocol.Content-Type", "text/plain; charset=windows-1252");
    assertEquals(
        "exact", again.getFirstValue("nd.verdict"), "the same text in another encoding, in either case of the name");
    SharedEngine.of(conf).close();
  }

  @Test
  void pagesThatTheProtocolCutAreTold() {
    Map<String, Object> conf = conf("cut");
    Metadata metadata =
        check(conf, "http://a.example/", TEXT.getBytes(StandardCharsets.UTF_8), "protocol.http.trimmed", "true");
    assertTrue(metadata.getFirstValue("nd.flags").contains("truncated"), metadata.toString());
    SharedEngine.of(conf).close();
  }

  private static String speech(int sentences) {
    return IntStream.range(0, sentences)
        .mapToObj(i -> "Satz " + i * 7919 + " der Rede handelt von Haus " + i * 104729 + ".")
        .collect(Collectors.joining(" "));
  }

  @Test
  void aNewPageTellsTheGroupThatItNearlyJoined() {
    Map<String, Object> conf = conf("related");
    Metadata first = check(conf, "http://a.example/", text(speech(40)));
    assertEquals("0.0000", first.getFirstValue("nd.probability"));
    assertNull(first.getFirstValue("nd.related.group"));
    byte[] other = text(speech(20) + " " + speech(20).replace("Rede", "Messe").replaceAll("[0-9]+", "7$0"));
    Metadata related = check(conf, "http://b.example/", other);
    assertEquals("new", related.getFirstValue("nd.verdict"), related.toString());
    assertEquals(first.getFirstValue("nd.group"), related.getFirstValue("nd.related.group"));
    double probability = Double.parseDouble(related.getFirstValue("nd.probability"));
    assertTrue(probability > 0 && probability < .5, related.toString());
    Metadata again = check(conf, "http://b.example/", other, "nd.probability", "0.9", "nd.related.group", "5");
    assertNull(again.getFirstValue("nd.probability"));
    assertNull(again.getFirstValue("nd.related.group"));
    SharedEngine.of(conf).close();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void onlyCopiesAreLeftOut() {
    String page = speech(40);
    String longer = speech(55);
    Map<String, String> texts = Map.of("a", page, "b", page + " Ende.", "c", longer, "d", longer);
    for (boolean parts : new boolean[] {false, true}) {
      Map<String, Object> conf = Map.of("nd.store", folder.resolve("copies" + parts).toString(),
          "nd.index.drop.duplicates", true, "nd.index.leave.out.parts", parts);
      PageCheck check = new PageCheck(conf);
      for (String host : List.of("a", "b", "c", "d", "d")) {
        boolean left = check.leavesOut("http://" + host + ".example/",
            texts.get(host).getBytes(StandardCharsets.UTF_8), new Metadata(), late -> {}).join();
        assertEquals(host.equals("b") || (parts && !host.equals("a")), left, host + " " + parts);
      }
      SharedEngine.of(conf).close();
    }
  }

  @Test
  void whatIsNoTextIsNotAsked() {
    Map<String, Object> conf = conf("none");
    Metadata metadata = check(conf, "http://a.example/", new byte[] {1, 2}, "protocol.content-type", "application/pdf",
        "nd.duplicate.of", "http://b.example/", "nd.group", "5");
    assertNull(metadata.getFirstValue("nd.verdict"));
    assertNull(metadata.getFirstValue("nd.failure"));
    assertNull(metadata.getFirstValue("nd.duplicate.of"), "what was there goes all the same");
    assertNull(metadata.getFirstValue("nd.group"));
    assertEquals("no-text", check(conf, "http://a.example/", null).getFirstValue("nd.verdict"), "no bytes and no type");
    SharedEngine.of(conf).close();
  }

  @Test
  void optionsReachTheEngine() {
    Map<String, Object> conf = conf("options", "nd.option.no_such_option", 5);
    Metadata metadata = check(conf, "http://a.example/", TEXT.getBytes(StandardCharsets.UTF_8));
    assertTrue(metadata.getFirstValue("nd.failure").contains("no_such_option"), metadata.toString());
    assertEquals(1, SharedEngine.of(conf).getFailures());
  }

  @Test
  void aStoreThatIsNoPathFailsThePageOnly() {
    assertFalse(
        check(Map.of("nd.store", "\0"), "http://a.example/", new byte[0]).getFirstValue("nd.failure").isEmpty());
  }

  @Test
  void parametersOfTheFilterGoBeforeTheConfiguration() throws Exception {
    NearDuplicateParseFilter filter = new NearDuplicateParseFilter();
    filter.configure(conf("first"), new ObjectMapper().readTree("{\"nd.store\": \"" + folder.resolve("second")
        + "\", \"nd.exclude.hosts\": [\"a.example\", \"b.example\"]}"));
    ParseResult parse = new ParseResult();
    for (String host : List.of("b", "c")) {
      String url = "http://" + host + ".example/";
      parse.set(url, new Metadata());
      filter.filter(url, TEXT.getBytes(StandardCharsets.UTF_8), null, parse);
    }
    filter.filter("http://unknown.example/", new byte[0], null, parse);
    assertEquals(2, parse.size(), "a page that was not parsed is not made");
    assertNull(parse.getValues("http://b.example/", "nd.verdict"));
    assertEquals("new", parse.getValues("http://c.example/", "nd.verdict")[0]);
    assertEquals(1, SharedEngine.of(conf("second")).getChecks());
    SharedEngine.of(conf("second")).close();
  }

  @Test
  void tasksInSeveralWorkersAreSeen() {
    assertFalse(PageCheck.isSpread(List.of(3, 4), List.of(1, 3, 4)));
    assertTrue(PageCheck.isSpread(List.of(3, 4), List.of(1, 3)));
  }
}
