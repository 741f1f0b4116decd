package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Options with types: what the library makes of them, and that the builder sets what it says. */
class OptionsTest {
  /** Name of a setter, then the option: as the command line says it. */
  private static Map<String, JsonObject> options() throws IOException, InterruptedException {
    Process ndc = new ProcessBuilder(Places.built("bin/ndc").toString(), "options", "--format", "json").start();
    String json = new String(ndc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, ndc.waitFor());
    Map<String, JsonObject> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (JsonElement option : JsonParser.parseString(json).getAsJsonArray())
      options.put(option.getAsJsonObject().get("key").getAsString().replace("_", ""), option.getAsJsonObject());
    return options;
  }

  private static List<Method> setters() {
    return Arrays.stream(Options.Builder.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 1)
        .filter(method -> !method.getName().equals("setAll"))
        .toList();
  }

  /** The value of a text for a setter. */
  private static Object value(Class<?> type, String text) {
    if (type == boolean.class) return Boolean.valueOf(text);
    if (type == long.class) return Long.valueOf(text);
    if (type == double.class) return Double.valueOf(text);
    return Arrays.stream(type.getEnumConstants())
        .filter(choice -> ((Enum<?>) choice).name().equalsIgnoreCase(text.replace('-', '_')))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theyAreAMapForTheLibrary() {
    Options options = Options.builder()
                          .memoryBudgetBytes(1L << 30)
                          .durability(Options.Durability.SYNC)
                          .sameDocument(0.0001)
                          .keepText(true)
                          .build();
    assertEquals(Map.of("memory_budget_bytes", "1073741824", "durability", "sync", "same_document", "0.00010",
                     "keep_text", "true"),
        options);
    assertEquals(
        List.of("memory_budget_bytes", "durability", "same_document", "keep_text"), List.copyOf(options.keySet()));
    try (NearDuplicates pages = NearDuplicates.inMemory(options)) {
      assertEquals(Verdict.NEW, pages.check("http://a.example/", Texts.page(1), "text/html").verdict());
    }
  }

  /** Each setter is called with the default and, of a choice, with each word; and the library takes the default. */
  @Test
  void eachSetterSetsItsOption() throws Exception {
    Map<String, JsonObject> options = options();
    assertEquals(options.size(), setters().size());
    Options.Builder all = Options.builder();
    for (Method setter : setters()) {
      JsonObject option = options.get(setter.getName());
      Class<?> type = setter.getParameterTypes()[0];
      String word = option.get("default").getAsString();
      assertEquals(all, setter.invoke(all, value(type, word)));
      NearDuplicates.inMemory(((Options.Builder) setter.invoke(Options.builder(), value(type, word))).build()).close();
      if (!type.isEnum()) continue;
      List<String> words = List.of(option.get("range").getAsString().split("\\|"));
      assertEquals(words.size(), type.getEnumConstants().length);
      for (String choice : words) {
        Options one = ((Options.Builder) setter.invoke(Options.builder(), value(type, choice))).build();
        assertEquals(Map.of(option.get("key").getAsString(), choice), one);
      }
    }
    NearDuplicates.inMemory(all.build()).close();
  }

  @Test
  void aCallWithoutAnEngineRefusesWhatHasNoEffectInIt() {
    Page page = Page.of("http://a.example/", Texts.page(1), "text/html");
    Map<String, String> all =
        Map.of("tokens_limit", "100000", "x_relaxed_keys", "3", "same_document", "0.9", "durability", "sync");
    for (String key : List.of("same_document", "durability")) {
      String reason = assertThrows(InvalidArgumentException.class,
          () -> Features.compute(page, Map.of(key, all.get(key)))).getMessage();
      assertTrue(reason.contains("option " + key + " has no effect here: it acts on "), reason);
    }
    Map<String, String> ofPages = Options.actingOn(all, "pages", "keys");
    assertEquals(Set.of("tokens_limit", "x_relaxed_keys"), ofPages.keySet());
    byte[] features = Features.compute(page, ofPages);
    assertEquals(Map.of("same_document", "0.9"), Options.actingOn(all, "decisions"));
    assertEquals(Verdict.EXACT, Features.decide(features, features, Options.actingOn(all, "decisions")).verdict());
    assertEquals(Map.of("no_such_key", "1"), Options.actingOn(Map.of("no_such_key", "1"), "pages"));
    assertEquals(Map.of(), Options.actingOn(null, "pages"));
  }

  @Test
  void theyDoNotChange() {
    Map<String, String> source = new HashMap<>(Map.of("tokens_limit", "300"));
    Options.Builder builder = Options.builder().setAll(source);
    Options options = builder.build();
    source.put("tokens_limit", "400");
    builder.tokensLimit(500);
    assertThrows(UnsupportedOperationException.class, () -> options.put("tokens_limit", "600"));
    assertThrows(UnsupportedOperationException.class, () -> options.entrySet().iterator().next().setValue("6"));
    assertThrows(UnsupportedOperationException.class, options::clear);
    Options other = Options.builder().setAll(options).tokensLimit(700).spotsigs(false).build();
    assertEquals(Map.of("tokens_limit", "700", "spotsigs", "false"), other);
    assertEquals(Options.of(Map.of("tokens_limit", "300")), options);
    assertEquals(options.hashCode(), Map.of("tokens_limit", "300").hashCode());
    assertNotEquals(options, other);
    assertEquals("{tokens_limit=300}", options.toString());
  }

  @Test
  void whatIsWrongIsNamed() {
    Options.Builder builder = Options.builder();
    assertThrows(InvalidArgumentException.class, () -> builder.durability(null));
    assertThrows(InvalidArgumentException.class, () -> builder.resemblance(Double.NaN));
    assertThrows(InvalidArgumentException.class, () -> builder.resemblance(Double.POSITIVE_INFINITY));
    Map<String, String> withNull = new HashMap<>();
    withNull.put("tokens_limit", null);
    assertThrows(InvalidArgumentException.class, () -> builder.setAll(withNull));
    assertEquals(Map.of(), builder.build());
    assertEquals(Map.of(), Options.of(null));
    assertThrows(InvalidArgumentException.class,
        () -> NearDuplicates.inMemory(Options.builder().tokensLimit(63).build()));
    assertThrows(InvalidArgumentException.class,
        () -> NearDuplicates.inMemory(Options.builder().tokensLimit(Long.MIN_VALUE).build()));
  }
}
