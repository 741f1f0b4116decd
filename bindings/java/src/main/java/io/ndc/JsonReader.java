package io.ndc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON objects that the library writes. Objects become maps, arrays lists, numbers their text; anything that
 * is no JSON is a fault of the library.
 */
final class JsonReader {
  /** The library nests four deep. */
  private static final int MAX_DEPTH = 16;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /** A number as it was written, to be a long or a double. */
  record Number(String text) {}

  static JsonObject object(String json) {
    JsonReader reader = new JsonReader(json);
    Object value = reader.value(0);
    reader.skipSpace();
    if (reader.at != json.length())
      throw reader.fault("the end");
    if (!(value instanceof Map<?, ?> members))
      throw reader.fault("an object");
    return new JsonObject(members);
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH)
      throw fault("less depth");
    skipSpace();
    return switch (at < text.length() ? text.charAt(at) : ' ') {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    ++at;
    if (taken('}')) return members;
    do {
      skipSpace();
      String name = string();
      expect(':');
      members.put(name, value(depth + 1));
    } while (taken(','));
    expect('}');
    return members;
  }

  private List<Object> array(int depth) {
    List<Object> elements = new ArrayList<>();
    ++at;
    if (taken(']')) return elements;
    do {
      elements.add(value(depth + 1));
    } while (taken(','));
    expect(']');
    return elements;
  }

  private String string() {
    if (at >= text.length() || text.charAt(at) != '"') throw fault("a string");
    StringBuilder result = new StringBuilder();
    for (++at; at < text.length(); ++at) {
      char character = text.charAt(at);
      if (character == '"') {
        ++at;
        return result.toString();
      }
      result.append(character == '\\' ? escaped() : character);
    }
    throw fault("a quotation mark");
  }

  /** The character of an escape, whose last character `at` is moved to. */
  private char escaped() {
    char kind = ++at < text.length() ? text.charAt(at) : ' ';
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw fault("an escape");
    };
  }

  private char unicode() {
    if (at + 4 >= text.length()) throw fault("four digits");
    try {
      char character = (char) Integer.parseInt(text, at + 1, at + 5, 16);
      at += 4;
      return character;
    } catch (NumberFormatException none) {
      throw fault("four digits");
    }
  }

  private Object word(String word, Boolean value) {
    if (!text.startsWith(word, at)) throw fault(word);
    at += word.length();
    return value;
  }

  private Number number() {
    int begin = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) ++at;
    if (begin == at) throw fault("a value");
    return new Number(text.substring(begin, at));
  }

  private boolean taken(char character) {
    skipSpace();
    if (at >= text.length() || text.charAt(at) != character) return false;
    ++at;
    return true;
  }

  private void expect(char character) {
    if (!taken(character)) throw fault("'" + character + "'");
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) ++at;
  }

  private InternalException fault(String wanted) {
    return new InternalException("the library's JSON lacks " + wanted + " at character " + at);
  }
}
