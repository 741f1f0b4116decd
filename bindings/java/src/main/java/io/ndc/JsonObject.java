package io.ndc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object of the library's JSON by the names and types that ndcapi.h promises. */
final class JsonObject {
  private final Map<?, ?> members;

  JsonObject(Map<?, ?> members) {
    this.members = members;
  }

  boolean has(String name) {
    return members.get(name) != null;
  }

  String string(String name) {
    return get(name, String.class);
  }

  /** Null if there is no such member. */
  @Nullable
  String optionalString(String name) {
    return has(name) ? string(name) : null;
  }

  long count(String name) {
    return parsed(name, Long::parseLong);
  }

  double number(String name) {
    return parsed(name, Double::parseDouble);
  }

  /** False if there is no such member. */
  boolean flag(String name) {
    return has(name) && get(name, Boolean.class);
  }

  JsonObject object(String name) {
    return new JsonObject(get(name, Map.class));
  }

  List<JsonObject> objects(String name) {
    return list(name, Map.class).stream().map(JsonObject::new).toList();
  }

  List<String> strings(String name) {
    return list(name, String.class);
  }

  /** A range of two numbers. */
  int[] range(String name) {
    return range(name, get(name, List.class));
  }

  /** An array of such. */
  List<int[]> ranges(String name) {
    return list(name, List.class).stream().map(ends -> range(name, ends)).toList();
  }

  private static int[] range(String name, List<?> ends) {
    if (ends.size() != 2)
      throw fault(name);
    try {
      return ends.stream().mapToInt(end -> Integer.parseInt(cast(name, end, JsonReader.Number.class).text())).toArray();
    } catch (NumberFormatException wrong) {
      throw fault(name);
    }
  }

  private <T> T parsed(String name, Function<String, T> parse) {
    try {
      return parse.apply(get(name, JsonReader.Number.class).text());
    } catch (NumberFormatException wrong) {
      throw fault(name);
    }
  }

  private <T> List<T> list(String name, Class<T> type) {
    List<?> elements = get(name, List.class);
    List<T> result = new ArrayList<>(elements.size());
    for (Object element : elements) {
      result.add(cast(name, element, type));
    }
    return result;
  }

  private <T> T get(String name, Class<T> type) {
    return cast(name, members.get(name), type);
  }

  private static <T> T cast(String name, @Nullable Object value, Class<T> type) {
    if (!type.isInstance(value))
      throw fault(name);
    return type.cast(value);
  }

  private static InternalException fault(String name) {
    return new InternalException("the library's JSON has no fitting \"" + name + "\"");
  }
}
