package dev.ridgeline.cli;

import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The part of JSON Schema that the project's own schemas use. */
record SmallSchema(JsonNode root) {

  /** What is wrong with a value, or empty. */
  String against(JsonNode value) {
    return wrong(root, value, "");
  }

  private String wrong(JsonNode rule, JsonNode value, String place) {
    if (rule.has("$ref")) {
      JsonNode target = root.at(rule.get("$ref").asString().substring(1));
      return wrong(target, value, place);
    }
    if (rule.has("const") && !rule.get("const").equals(value)) return place + ": another value";
    if (rule.has("enum") && !rule.get("enum").valueStream().anyMatch(value::equals)) {
      return place + ": none of the values";
    }
    if (rule.has("type") && !typed(rule.get("type"), value)) return place + ": another type";
    if (rule.has("pattern")
        && !Pattern.compile(rule.get("pattern").asString()).matcher(value.asString()).find()) {
      return place + ": does not match";
    }
    if (rule.has("minItems") && value.size() < rule.get("minItems").asInt())
      return place + ": too few";
    if (rule.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        String wrong = wrong(rule.get("items"), value.get(i), place + "[" + i + "]");
        if (!wrong.isEmpty()) return wrong;
      }
    }
    return value.isObject() ? fields(rule, value, place) : "";
  }

  private String fields(JsonNode rule, JsonNode value, String place) {
    if (rule.has("required")) {
      for (JsonNode name : rule.get("required")) {
        if (!value.has(name.asString())) return place + "." + name.asString() + ": missing";
      }
    }
    for (var field : value.properties()) {
      String at = place + "." + field.getKey();
      JsonNode more = rule.get("additionalProperties");
      if (rule.has("propertyNames")) {
        Pattern names = Pattern.compile(rule.get("propertyNames").get("pattern").asString());
        if (!names.matcher(field.getKey()).find()) return at + ": no name";
      }
      JsonNode known = rule.has("properties") ? rule.get("properties").get(field.getKey()) : null;
      if (known == null && more != null && more.isBoolean() && !more.asBoolean())
        return at + ": unknown";
      JsonNode of = known != null ? known : more;
      String wrong = of == null || of.isBoolean() ? "" : wrong(of, field.getValue(), at);
      if (!wrong.isEmpty()) return wrong;
    }
    return "";
  }

  private static boolean typed(JsonNode types, JsonNode value) {
    if (types.isArray()) return types.valueStream().anyMatch(type -> typed(type, value));
    return switch (types.asString()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "number" -> value.isNumber();
      default -> throw new IllegalArgumentException("a type " + types);
    };
  }
}
