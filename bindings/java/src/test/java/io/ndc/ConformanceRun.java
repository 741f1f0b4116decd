package io.ndc;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Runs one case of tests/conformance/cases.json. */
final class ConformanceRun {
  private static final long FETCHED_AT_MS = 1_700_000_000_000L;
  /** By code, from 0. */
  private static final List<String> ERRORS = List.of(
      "OK", "INVALID_ARGUMENT", "NO_MEMORY", "IO", "CORRUPT", "UNSUPPORTED_VERSION", "LOCKED", "READ_ONLY", "NOT_FOUND",
      "LIMIT", "INTERNAL");

  private final List<String> faults = new ArrayList<>();
  private final Map<String, Page> pages = new HashMap<>();
  private final Set<String> usedPages = new TreeSet<>();
  private final Map<String, Long> checked = new HashMap<>();
  private final Map<String, Long> founded = new HashMap<>();
  private Map<String, String> options = Map.of();
  private NearDuplicates engine;

  private ConformanceRun() {}

  /** Deviations from the case. */
  static List<String> faultsOf(JsonObject testCase) {
    ConformanceRun run = new ConformanceRun();
    try {
      run.run(testCase);
    } catch (RuntimeException unreadable) {
      run.faults.add("the case cannot be run: " + unreadable);
    } finally {
      if (run.engine != null) run.engine.close();
    }
    return run.faults;
  }

  private void run(JsonObject testCase) {
    CaseRecord record = new CaseRecord(testCase, "case", faults);
    record.text("name");
    if (record.text("why").isEmpty()) record.fail("\"why\" is empty");
    if (record.has("options")) options = optionsOf(record.at("options"));
    engine = NearDuplicates.inMemory(options);
    if (record.has("pages")) {
      record.at("pages").getAsJsonObject().asMap().forEach(
          (name, page) -> pages.put(name, page(name, page.getAsJsonObject())));
    }
    List<JsonElement> steps = record.at("steps").getAsJsonArray().asList();
    if (steps.isEmpty()) record.fail("it has no steps");
    record.finish();
    for (int i = 0; i < steps.size(); ++i) {
      CaseRecord step = new CaseRecord(steps.get(i).getAsJsonObject(), "step " + (i + 1), faults);
      String call = step.text("call");
      String place = "step " + (i + 1) + " (" + call + ")";
      CaseRecord expect = new CaseRecord(step.at("expect").getAsJsonObject(), place, faults);
      step(call, step, expect);
      step.finish();
      expect.finish();
    }
    pages.keySet().stream()
        .filter(name -> !usedPages.contains(name))
        .forEach(name -> record.fail("page " + name + " is in no step"));
  }

  private void step(String call, CaseRecord step, CaseRecord expect) {
    switch (call) {
      case "check" -> decide(step, expect, true, () -> engine.check(page(step, "page")));
      case "query" -> decide(step, expect, false, () -> engine.query(page(step, "page")));
      case "check_with_text" -> decide(step, expect, true, () -> {
        CheckedText checked = engine.checkWithText(page(step, "page"));
        expect.compare("own_text", checked.ownText());
        return checked.result();
      });
      case "own_text" -> {
        Page page = page(step, "page");
        String text = answer(expect, () -> engine.ownText(page));
        if (text != null) expect.compare("own_text", text);
      }
      case "check_features" -> {
        Page page = page(step, "page");
        decide(step, expect, true, () -> engine.checkFeatures(Features.compute(page, options)));
      }
      case "open" -> answer(expect, () -> {
        NearDuplicates.inMemory(optionsOf(step.at("options"))).close();
        return true;
      });
      case "remove" -> {
        String url = step.text("url");
        Boolean found = answer(expect, () -> engine.remove(url));
        if (found != null) expect.compare("found", found);
      }
      case "find" -> find(step.text("url"), expect);
      case "members" -> members(step, expect);
      case "events" -> events(expect);
      case "explain" -> explain(step, expect);
      case "stats" -> answer(expect, engine::stats).asMap().forEach(expect::compare);
      case "features" -> features(step, expect);
      case "decide" -> decide(step, expect);
      case "signature" -> signature(step, expect);
      case "signature_compare" -> {
        Page a = page(step, "a");
        Page b = page(step, "b");
        Double similarity = answer(
            expect, () -> Signature.compare(Signature.compute(a, options), Signature.compute(b, options)));
        if (similarity != null) expect.compareRange("similarity", similarity);
      }
      default -> throw new IllegalArgumentException("the call \"" + call + "\" is not known");
    }
  }

  /** Null if it failed; whether it was to fail is compared here. */
  private static <T> T answer(CaseRecord expect, Supplier<T> call) {
    try {
      T value = call.get();
      expect.compare("error", "OK");
      return value;
    } catch (NearDuplicatesException failure) {
      if (failure.getMessage().isEmpty()) expect.fail("an error without a sentence");
      if (expect.has("error")) expect.compare("error", ERRORS.get(-failure.code()));
      else expect.fail("unexpected " + failure);
      return null;
    }
  }

  private void decide(CaseRecord step, CaseRecord expect, boolean remember, Supplier<Result> call) {
    String name = step.text("page");
    Result result = answer(expect, call);
    if (result == null) return;
    compareRatios(result, expect);
    expect.compare("page_id", result.pageId());
    expect.compare("group_id", result.groupId());
    compareId(expect, "matched", checked, result.matchedPageId());
    if (remember) {
      if (result.pageId() == 0) expect.fail("a page that was checked has no id");
      checked.put(name, result.pageId());
      if (result.pageId() == result.groupId()) founded.put(name, result.groupId());
    }
    compareId(expect, "group", founded, result.groupId());
    compareId(expect, "related", founded, result.relatedGroupId());
  }

  private static void compareRatios(Result result, CaseRecord expect) {
    expect.compare("verdict", name(result.verdict()));
    expect.compareSet("flags", names(result.flags()));
    expect.compareRange("resemblance", result.resemblance());
    expect.compareRange("containment", result.containment());
    expect.compareRange("page_coverage", result.pageCoverage());
    expect.compareRange("matched_coverage", result.matchedCoverage());
    expect.compareRange("probability", result.probability());
  }

  private void find(String url, CaseRecord expect) {
    var found = answer(expect, () -> engine.find(url));
    if (found == null) return;
    expect.compare("found", found.isPresent());
    if (found.isEmpty()) return;
    PageInfo info = found.get();
    expect.compare("verdict", name(info.verdict()));
    expect.compareSet("flags", names(info.flags()));
    expect.compare("page_id", info.pageId());
    compareId(expect, "group", founded, info.groupId());
    expect.compare("text_width", info.textWidth());
    expect.compare("first_fetched_at_ms", info.firstFetchedAtMs());
    expect.compare("last_fetched_at_ms", info.lastFetchedAtMs());
    compareId(expect, "matched", checked, info.matchedPageId());
    expect.compareRange("resemblance", info.resemblance());
    expect.compareRange("containment", info.containment());
  }

  private void members(CaseRecord step, CaseRecord expect) {
    long group = id(founded, step.at("group"));
    List<PageInfo> members = answer(expect, () -> engine.members(group));
    if (members == null || !expect.has("pages")) return;
    List<Long> wanted = expect.at("pages").getAsJsonArray().asList().stream().map(name -> id(checked, name)).toList();
    List<Long> actual = members.stream().map(PageInfo::pageId).toList();
    if (!actual.equals(wanted)) expect.fail("pages are " + actual + ", not " + wanted);
  }

  private void events(CaseRecord expect) {
    List<Event> actual = answer(expect, () -> engine.events(0));
    if (actual == null) return;
    List<JsonElement> wanted = expect.at("events").getAsJsonArray().asList();
    if (actual.size() != wanted.size()) {
      expect.fail(actual + " are not " + wanted);
      return;
    }
    for (int i = 0; i < wanted.size(); ++i) {
      CaseRecord event = new CaseRecord(wanted.get(i).getAsJsonObject(), "event " + (i + 1), faults);
      event.compare("kind", name(actual.get(i).kind()));
      compareId(event, "page", checked, actual.get(i).pageId());
      compareId(event, "old_group", founded, actual.get(i).oldGroupId());
      compareId(event, "new_group", founded, actual.get(i).newGroupId());
      event.finish();
    }
  }

  private void explain(CaseRecord step, CaseRecord expect) {
    long a = id(checked, step.at("a"));
    long b = id(checked, step.at("b"));
    String json = answer(expect, () -> engine.explain(a, b));
    if (json == null) return;
    JsonObject report = JsonParser.parseString(json).getAsJsonObject();
    expect.compare("verdict", report.get("verdict").getAsString());
    expect.compare("rule", report.get("rule").getAsString());
    for (String ratio : List.of("resemblance", "containment", "page_coverage", "matched_coverage", "probability")) {
      expect.compareRange(ratio, report.get(ratio).getAsDouble());
    }
  }

  private void features(CaseRecord step, CaseRecord expect) {
    if (step.has("page") == step.has("bytes_base64")) {
      throw new IllegalArgumentException("features of a page or of bytes");
    }
    byte[] bytes = step.has("page")
        ? Features.compute(page(step, "page"), options)
        : Base64.getDecoder().decode(step.text("bytes_base64"));
    bytes = withSite(step, bytes);
    byte[] damaged = Arrays.copyOf(bytes, (int) (bytes.length - Math.min(bytes.length, step.numberOr("cut_bytes", 0))));
    if (step.has("flip_byte")) damaged[(int) step.numberOr("flip_byte", 0)] ^= 1;
    long[] keys = answer(expect, () -> Features.keys(damaged));
    if (keys == null) return;
    long[] parts = answer(expect, () -> Features.parts(damaged));
    if (parts == null) return;
    expect.compareList("keys", hex(keys));
    expect.compareList("parts", hex(parts));
    expect.compare("key_count", keys.length);
    expect.compare("part_count", parts.length);
    expect.compare("bytes_sha256", sha256(damaged));
  }

  /** The features with what their site knows, if the step names the pages that it has learned. */
  private byte[] withSite(CaseRecord step, byte[] features) {
    if (!step.has("site_pages")) return features;
    try (SiteModel site = new SiteModel()) {
      for (String name : step.texts("site_pages")) {
        site.learn(Features.parts(Features.compute(pageNamed(name), options)));
      }
      return Features.withSite(features, site.save(Features.parts(features)));
    }
  }

  // The options are those of the decision, which the computation would refuse.
  private void decide(CaseRecord step, CaseRecord expect) {
    byte[] a = withSite(step, Features.compute(page(step, "a"), null));
    byte[] b = withSite(step, Features.compute(page(step, "b"), null));
    Result result = answer(expect, () -> Features.decide(a, b, options));
    if (result == null) return;
    compareRatios(result, expect);
    if (result.pageId() != 0 || result.groupId() != 0 || result.matchedPageId() != 0) {
      expect.fail("a comparison without an engine has ids");
    }
  }

  private void signature(CaseRecord step, CaseRecord expect) {
    Page page = page(step, "page");
    byte[] signature = answer(expect, () -> Signature.compute(page, options));
    if (signature == null) return;
    long[] keys = answer(expect, () -> Signature.keys(signature));
    if (keys == null) return;
    expect.compare("hex", HexFormat.of().formatHex(signature));
    expect.compareList("keys", hex(keys));
    expect.compareRange("size", signature.length);
    expect.compareRange("key_count", keys.length);
  }

  private static void compareId(CaseRecord expect, String key, Map<String, Long> ids, long actual) {
    if (expect.has(key) && id(ids, expect.at(key)) != actual) {
      expect.fail(key + " is " + actual + ", not " + expect.at(key) + " of " + ids);
    }
  }

  private static long id(Map<String, Long> ids, JsonElement name) {
    if (name.isJsonNull()) return 0;
    Long id = ids.get(name.getAsString());
    if (id == null) throw new IllegalArgumentException(name + " has no such id yet");
    return id;
  }

  private Page page(CaseRecord step, String key) {
    return pageNamed(step.text(key));
  }

  private Page pageNamed(String name) {
    usedPages.add(name);
    Page page = pages.get(name);
    if (page == null) throw new IllegalArgumentException("there is no page \"" + name + "\"");
    return page;
  }

  private Page page(String name, JsonObject object) {
    CaseRecord record = new CaseRecord(object, "page " + name, faults);
    List<byte[]> bodies = new ArrayList<>();
    if (record.has("body")) bodies.add(record.text("body").getBytes(StandardCharsets.UTF_8));
    if (record.has("body_base64")) bodies.add(Base64.getDecoder().decode(record.text("body_base64")));
    if (record.has("body_repeat")) {
      bodies.add(repeated(record.at("body_repeat").getAsJsonObject(), "page " + name + " body_repeat"));
    }
    if (bodies.size() != 1) throw new IllegalArgumentException("page " + name + " has not one body");
    Page page = Page.of(record.text("url"), bodies.get(0))
        .withContentType(record.textOr("content_type", ""))
        .withFetchedAtMs(record.numberOr("fetched_at_ms", FETCHED_AT_MS));
    if (record.isSet("truncated")) page = page.truncated();
    record.finish();
    return page;
  }

  private byte[] repeated(JsonObject object, String place) {
    CaseRecord record = new CaseRecord(object, place, faults);
    String repeated = record.text("text").repeat((int) record.at("count").getAsLong());
    String text = record.textOr("before", "") + repeated + record.textOr("after", "");
    record.finish();
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> optionsOf(JsonElement object) {
    Map<String, String> options = new LinkedHashMap<>();
    object.getAsJsonObject().asMap().forEach((key, value) -> options.put(key, value.getAsString()));
    return options;
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Set<String> names(Set<Flag> flags) {
    return flags.stream().map(ConformanceRun::name).collect(Collectors.toSet());
  }

  private static List<String> hex(long[] numbers) {
    return Arrays.stream(numbers).mapToObj(number -> HexFormat.of().toHexDigits(number)).toList();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException(never);
    }
  }
}
