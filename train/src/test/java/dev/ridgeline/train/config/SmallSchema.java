package dev.ridgeline.train.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The part of JSON Schema that the schema of trainings uses; a word that it lacks is an error. */
record SmallSchema(JsonNode root) {
  private static final List<String> WORDS =
      List.of(
          "$schema",
          "$defs",
          "$ref",
          "title",
          "description",
          "default",
          "type",
          "const",
          "enum",
          "oneOf",
          "pattern",
          "minLength",
          "minItems",
          "items",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "required",
          "properties",
          "additionalProperties");

  /** What is wrong with a value, or empty. */
  String against(JsonNode value) {
    return wrong(root, value, "");
  }

  /** A rule, or what it refers to. */
  JsonNode resolved(JsonNode rule) {
    return rule.has("$ref") ? root.at(rule.get("$ref").asString().substring(1)) : rule;
  }

  /** What a value may be, one by one where there are several. */
  List<JsonNode> choices(JsonNode rule) {
    JsonNode resolved = resolved(rule);
    if (!resolved.has("oneOf")) return List.of(resolved);
    List<JsonNode> choices = new ArrayList<>();
    for (JsonNode choice : resolved.get("oneOf")) choices.add(resolved(choice));
    return choices;
  }

  private String wrong(JsonNode given, JsonNode value, String place) {
    JsonNode rule = resolved(given);
    for (String word : rule.propertyNames()) {
      if (!WORDS.contains(word)) throw new IllegalArgumentException("the word " + word);
    }
    if (rule.has("oneOf")) {
      int fits = 0;
      for (JsonNode choice : rule.get("oneOf")) if (wrong(choice, value, place).isEmpty()) fits++;
      if (fits != 1) return place + ": fits " + fits;
    }
    if (rule.has("const") && !rule.get("const").equals(value)) return place + ": another value";
    if (rule.has("enum") && rule.get("enum").valueStream().noneMatch(value::equals)) {
      return place + ": none of the values";
    }
    if (rule.has("type") && !typed(rule.get("type").asString(), value)) return place + ": type";
    if (value.isNumber() && !inRange(rule, value.asDouble())) return place + ": out of range";
    if (value.isString() && !spelled(rule, value.asString())) return place + ": spelled otherwise";
    if (value.isArray()) {
      if (rule.has("minItems") && value.size() < rule.get("minItems").asInt())
        return place + ": few";
      for (JsonNode item : value) {
        String wrong = rule.has("items") ? wrong(rule.get("items"), item, place + "[]") : "";
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
    if (!rule.has("properties")) return "";
    for (var field : value.properties()) {
      JsonNode known = rule.get("properties").get(field.getKey());
      String at = place + "." + field.getKey();
      if (known == null) return at + ": unknown";
      String wrong = wrong(known, field.getValue(), at);
      if (!wrong.isEmpty()) return wrong;
    }
    return "";
  }

  private static boolean inRange(JsonNode rule, double value) {
    return (!rule.has("minimum") || value >= rule.get("minimum").asDouble())
        && (!rule.has("maximum") || value <= rule.get("maximum").asDouble())
        && (!rule.has("exclusiveMinimum") || value > rule.get("exclusiveMinimum").asDouble())
        && (!rule.has("exclusiveMaximum") || value < rule.get("exclusiveMaximum").asDouble());
  }

  private static boolean spelled(JsonNode rule, String text) {
    return (!rule.has("minLength") || text.length() >= rule.get("minLength").asInt())
        && (!rule.has("pattern")
            || Pattern.compile(rule.get("pattern").asString()).matcher(text).find());
  }

  private static boolean typed(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "number" -> value.isNumber();
      case "integer" -> value.isIntegralNumber();
      default -> throw new IllegalArgumentException("the type " + type);
    };
  }
}
