package dev.ridgeline.model.tokenizer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A small part of a JSON file that knows where it stands, so that a complaint can say it. */
record JsonValue(Path file, String where, Object value) {
  /** Reads the value that the parser stands on. */
  static JsonValue read(JsonParser json, Path file, String where) {
    return new JsonValue(file, where, value(json));
  }

  private static Object value(JsonParser json) {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> members = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          members.put(name, value(json));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) elements.add(value(json));
        yield elements;
      }
      case VALUE_STRING -> json.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** A member, absent and null being the same. */
  JsonValue at(String name) {
    if (value instanceof Map<?, ?> members) return part("." + name, members.get(name));
    throw wrong("an object");
  }

  List<JsonValue> elements() {
    if (!(value instanceof List<?> list)) throw wrong("an array");
    List<JsonValue> elements = new ArrayList<>();
    for (Object element : list) elements.add(part("[" + elements.size() + "]", element));
    return elements;
  }

  private JsonValue part(String step, Object part) {
    return new JsonValue(file, where + step, part);
  }

  boolean isNull() {
    return value == null;
  }

  String string() {
    if (value instanceof String text) return text;
    throw wrong("a string");
  }

  boolean flag() {
    if (value instanceof Boolean flag) return flag;
    throw wrong("true or false");
  }

  boolean flag(boolean fallback) {
    return isNull() ? fallback : flag();
  }

  int integer() {
    if (value instanceof Double number && number == number.intValue()) return number.intValue();
    throw wrong("a whole number");
  }

  /** Refuses anything but the one value that can be read. */
  void mustBe(Object only) {
    Object wanted = only instanceof Integer number ? (Object) number.doubleValue() : only;
    if (!wanted.equals(value)) throw unsupported(String.valueOf(only));
  }

  TokenizerException unsupported(String supported) {
    return new TokenizerException(
        file, "%s is %s; only %s can be read".formatted(where, shown(), supported));
  }

  private TokenizerException wrong(String wanted) {
    return new TokenizerException(file, "%s is %s, not %s".formatted(where, shown(), wanted));
  }

  private String shown() {
    return switch (value) {
      case null -> "missing";
      case Map<?, ?> _ -> "an object";
      case List<?> _ -> "an array";
      case Double number when number == number.longValue() -> Long.toString(number.longValue());
      default -> value.toString();
    };
  }
}
