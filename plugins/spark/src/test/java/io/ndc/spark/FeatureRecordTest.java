package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ndc.Features;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fields of a features record that Java reads itself, against what the library says. */
class FeatureRecordTest {
  private static Page page(String url, String html) {
    return Page.of(url, html.getBytes(StandardCharsets.UTF_8)).withContentType("text/html").withFetchedAtMs(1);
  }

  private static FeatureRecord record(String url, String html) {
    return new FeatureRecord(Features.compute(page(url, html), Map.of()));
  }

  @Test
  void saysWhatTheLibrarySaysOfThePage() throws Exception {
    String html = SyntheticCaptures.html(SyntheticCaptures.sentences(new Random(3), 30));
    String url = "http://www.deep.example.co.uk/a";
    JsonNode seen = new ObjectMapper().readTree(NearDuplicates.extract(page(url, html), Map.of()));
    FeatureRecord record = record(url, html);
    assertEquals(seen.get("site").asText(), record.site());
    assertEquals("example.co.uk", record.site());
    assertEquals(seen.get("width").asLong(), record.width());
    assertEquals(seen.get("fingerprints").asInt(), record.fingerprints());
    assertTrue(record.fingerprints() > 50);
    assertTrue(record.hasText());
  }

  @Test
  void equalTextsHaveEqualDigests() {
    FeatureRecord one = record("http://a.example/", "<p>The same words.");
    FeatureRecord other = record("http://b.example/", "<div>The  same <b>words</b>.</div>");
    FeatureRecord different = record("http://b.example/", "<p>The other words.");
    assertEquals(one.digestLow(), other.digestLow());
    assertNotEquals(one.digestLow(), different.digestLow());
  }

  @Test
  void aPageWithoutTextSaysSo() {
    assertFalse(record("http://a.example/", "").hasText());
  }

  @Test
  void whatIsTooShortIsNoRecord() {
    assertThrows(IllegalArgumentException.class, () -> new FeatureRecord(new byte[151]));
    byte[] features = Features.compute(page("http://a.example/", "<p>Some words."), Map.of());
    byte[] cut = Arrays.copyOf(features, 158);
    assertThrows(IllegalArgumentException.class, () -> new FeatureRecord(cut).site());
  }
}
