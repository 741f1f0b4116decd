package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Options with types: what the library makes of them, and that the builder sets what it says. */
class OptionsTest {
  private static List<OptionKey<?>> keys() throws ReflectiveOperationException {
    List<OptionKey<?>> keys = new ArrayList<>();
    for (Field field : Options.class.getFields()) {
      if (!Modifier.isStatic(field.getModifiers()) || field.getType() != OptionKey.class)
        continue;
      OptionKey<?> key = (OptionKey<?>) field.get(null);
      assertEquals(field.getName(), key.key().toUpperCase(java.util.Locale.ROOT));
      keys.add(key);
    }
    return keys;
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

  /** Each setter is called with the key's default, and the library is asked whether it takes that. */
  @Test
  void eachSetterSetsItsOptionToWhatTheLibraryTakes() throws Exception {
    List<OptionKey<?>> keys = keys();
    assertTrue(keys.size() > 20, () -> keys.size() + " keys");
    Set<String> setters = new java.util.HashSet<>();
    Options.Builder all = Options.builder();
    for (OptionKey<?> key : keys) {
      Method setter = Arrays.stream(Options.Builder.class.getMethods())
                          .filter(method -> method.getName().equalsIgnoreCase(key.key().replace("_", "")))
                          .findFirst()
                          .orElseThrow();
      setters.add(setter.getName());
      assertEquals(all, setter.invoke(all, key.defaultValue()));
      Options one = ((Options.Builder) setter.invoke(Options.builder(), key.defaultValue())).build();
      assertEquals(Set.of(key.key()), one.keySet());
      assertEquals(key.defaultValue(), one.value(key), key.key());
      NearDuplicates.inMemory(one).close();
    }
    assertEquals(keys.size(), setters.size());
    NearDuplicates.inMemory(all.build()).close();
  }

  @Test
  void eachChoiceIsOneOfTheLibrarys() throws Exception {
    Page page = Page.of("http://a.example/", Texts.page(1), "text/html");
    for (OptionKey<?> key : keys()) {
      if (!key.type().isEnum())
        continue;
      for (Object choice : key.type().getEnumConstants()) {
        // Those that do not go together are refused by what they do together, not by their names.
        try {
          Signature.compute(page, Map.of(key.key(), choice.toString()));
        } catch (InvalidArgumentException together) {
          assertFalse(together.getMessage().contains("\"" + choice + "\""), together.getMessage());
        }
      }
      assertThrows(InvalidArgumentException.class, () -> Signature.compute(page, Map.of(key.key(), "no-such-choice")));
    }
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
  void whatIsNotSetIsTheDefault() {
    Options options =
        Options.of(Map.of("mmap", "on", "durability", "none", "resemblance", "0.5", "x_antecedents", "a b"));
    assertEquals(true, options.value(Options.MMAP));
    assertEquals(Options.Durability.NONE, options.value(Options.DURABILITY));
    assertEquals(0.5, options.value(Options.RESEMBLANCE));
    assertEquals("a b", options.get("x_antecedents"));
    assertEquals(0L, options.value(Options.MEMORY_BUDGET_BYTES));
    assertEquals(Options.Detector.LCS, options.value(Options.DETECTOR));
    assertEquals(Map.of(), Options.of(null));
    assertTrue(Options.RESEMBLANCE.isPersistent());
    assertFalse(Options.DURABILITY.isPersistent());
    assertEquals("none|snapshot|journal|sync", Options.DURABILITY.range());
    assertEquals("64..4194304", Options.TOKENS_LIMIT.range());
    assertEquals(Long.class, Options.TOKENS_LIMIT.type());
    assertEquals("tokens_limit", Options.TOKENS_LIMIT.toString());
  }

  @Test
  void theyDoNotChange() {
    Map<String, String> source = new HashMap<>(Map.of("tokens_limit", "300"));
    Options.Builder builder = Options.builder().setAll(source);
    Options options = builder.build();
    source.put("tokens_limit", "400");
    builder.tokensLimit(500);
    assertEquals(300, options.value(Options.TOKENS_LIMIT));
    assertThrows(UnsupportedOperationException.class, () -> options.put("tokens_limit", "600"));
    assertThrows(UnsupportedOperationException.class, () -> options.entrySet().iterator().next().setValue("6"));
    assertThrows(UnsupportedOperationException.class, options::clear);
    Options other = options.toBuilder().tokensLimit(700).set(Options.SPOTSIGS, false).build();
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
    assertThrows(InvalidArgumentException.class, () -> builder.set(null, 1L));
    assertThrows(InvalidArgumentException.class, () -> builder.resemblance(Double.NaN));
    assertThrows(InvalidArgumentException.class, () -> builder.resemblance(Double.POSITIVE_INFINITY));
    Map<String, String> withNull = new HashMap<>();
    withNull.put("tokens_limit", null);
    assertThrows(InvalidArgumentException.class, () -> builder.setAll(withNull));
    assertEquals(Map.of(), builder.build());
    Options wrong = Options.of(Map.of("tokens_limit", "many", "mmap", "perhaps", "durability", "great"));
    for (OptionKey<?> key : List.of(Options.TOKENS_LIMIT, Options.MMAP, Options.DURABILITY)) {
      InvalidArgumentException said = assertThrows(InvalidArgumentException.class, () -> wrong.value(key));
      assertTrue(said.getMessage().contains(key.key()) && said.getMessage().contains(key.range()), said.getMessage());
    }
    assertThrows(InvalidArgumentException.class,
        () -> NearDuplicates.inMemory(Options.builder().tokensLimit(63).build()));
    assertThrows(InvalidArgumentException.class,
        () -> NearDuplicates.inMemory(Options.builder().tokensLimit(Long.MIN_VALUE).build()));
  }
}
