package io.ndc;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** An object of cases.json that knows what was read of it: what nobody read, nobody tested. */
final class CaseRecord {
  private final JsonObject object;
  private final String place;
  private final List<String> faults;
  private final Set<String> read = new HashSet<>();

  CaseRecord(JsonObject object, String place, List<String> faults) {
    this.object = object;
    this.place = place;
    this.faults = faults;
  }

  /** Null: it is not there; JSON's null is a JsonNull. */
  JsonElement find(String key) {
    read.add(key);
    return object.get(key);
  }

  boolean has(String key) {
    return find(key) != null;
  }

  JsonElement at(String key) {
    JsonElement value = find(key);
    if (value == null) throw new IllegalArgumentException(place + " has no \"" + key + "\"");
    return value;
  }

  String text(String key) {
    return at(key).getAsString();
  }

  String textOr(String key, String otherwise) {
    return has(key) ? text(key) : otherwise;
  }

  long numberOr(String key, long otherwise) {
    return has(key) ? at(key).getAsLong() : otherwise;
  }

  boolean isSet(String key) {
    return has(key) && at(key).getAsBoolean();
  }

  void fail(String sentence) {
    faults.add(place + ": " + sentence);
  }

  void finish() {
    for (String key : object.keySet()) {
      if (!read.contains(key)) fail("\"" + key + "\" is not known here");
    }
  }

  void compare(String key, Object actual) {
    if (!has(key)) return;
    JsonElement wanted = at(key);
    String text = wanted.isJsonPrimitive() ? wanted.getAsString() : wanted.toString();
    if (!Objects.equals(text, String.valueOf(actual))) fail(key + " is " + actual + ", not " + wanted);
  }

  void compareList(String key, List<String> actual) {
    if (has(key) && !texts(key).equals(actual)) fail(key + " are " + actual + ", not " + at(key));
  }

  void compareSet(String key, Set<String> actual) {
    if (has(key) && !Set.copyOf(texts(key)).equals(actual)) fail(key + " are " + actual + ", not " + at(key));
  }

  void compareRange(String key, double actual) {
    if (!has(key)) return;
    List<Double> range = at(key).getAsJsonArray().asList().stream().map(JsonElement::getAsDouble).toList();
    if (range.size() != 2 || range.get(0) > range.get(1)) fail(key + " has to be [low, high]");
    else if (!(range.get(0) <= actual && actual <= range.get(1))) fail(key + " is " + actual + ", not in " + range);
  }

  List<String> texts(String key) {
    return at(key).getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
  }
}
