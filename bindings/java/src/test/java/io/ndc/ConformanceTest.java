package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The cases that every language runs, and the runner's own faults. */
class ConformanceTest {
  private static final String GOOD = """
      {"name": "good", "why": "it is what the others are made of",
       "pages": {"ferry": {"url": "http://a.example/ferry", "body": "<p>The ferry leaves at noon and at six.</p>"}},
       "steps": [{"call": "check", "page": "ferry", "expect": {"verdict": "new", "group": "ferry", "matched": null,
                                                               "flags": ["short"], "resemblance": [0, 0]}}]}""";

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    String text = Files.readString(Places.source("tests/conformance/cases.json"));
    JsonObject file = JsonParser.parseString(text).getAsJsonObject();
    assertEquals(2, file.size());
    assertEquals(1, file.get("format").getAsInt());
    List<JsonElement> cases = file.get("cases").getAsJsonArray().asList();
    assertFalse(cases.isEmpty());
    return cases.stream()
        .map(JsonElement::getAsJsonObject)
        .map(one
            -> DynamicTest.dynamicTest(one.get("name").getAsString(),
                () -> assertEquals(List.of(), ConformanceRun.faultsOf(one), () -> one.get("why").getAsString())));
  }

  @Test
  void theGoodCaseHasNoFault() {
    assertEquals(List.of(), faultsAfter(one -> {}));
  }

  @Test
  void nothingIsPassedOverInSilence() {
    assertFault(one -> one.addProperty("surprise", 1));
    assertFault(one -> page(one).addProperty("surprise", 1));
    assertFault(one -> step(one).addProperty("surprise", 1));
    assertFault(one -> expect(one).addProperty("surprise", 1));
    assertFault(one -> step(one).addProperty("call", "chekc"));
    assertFault(one -> page(one).addProperty("body_base64", ""));
    assertFault(one -> one.get("pages").getAsJsonObject().add("quay", page(one).deepCopy()));
  }

  @Test
  void aWrongExpectationIsAFault() {
    assertFault(one -> expect(one).addProperty("verdict", "near"));
    assertFault(one -> expect(one).add("group", null));
    assertFault(one -> expect(one).addProperty("matched", "ferry"));
    assertFault(one -> expect(one).add("flags", JsonParser.parseString("[]")));
    assertFault(one -> expect(one).add("flags", JsonParser.parseString("[\"short\", \"limit\"]")));
    assertFault(one -> expect(one).add("resemblance", JsonParser.parseString("[0.1, 1]")));
    assertFault(one -> expect(one).add("resemblance", JsonParser.parseString("[1, 0]")));
    assertFault(one -> expect(one).addProperty("page_id", 7));
    assertFault(one -> expect(one).addProperty("error", "INVALID_ARGUMENT"));
  }

  private static void assertFault(Consumer<JsonObject> change) {
    assertNotEquals(List.of(), faultsAfter(change));
  }

  private static List<String> faultsAfter(Consumer<JsonObject> change) {
    JsonObject one = JsonParser.parseString(GOOD).getAsJsonObject();
    change.accept(one);
    return ConformanceRun.faultsOf(one);
  }

  private static JsonObject page(JsonObject one) {
    return one.get("pages").getAsJsonObject().get("ferry").getAsJsonObject();
  }

  private static JsonObject step(JsonObject one) {
    return one.get("steps").getAsJsonArray().get(0).getAsJsonObject();
  }

  private static JsonObject expect(JsonObject one) {
    return step(one).get("expect").getAsJsonObject();
  }
}
