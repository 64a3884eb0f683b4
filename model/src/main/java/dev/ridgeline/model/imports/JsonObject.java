package dev.ridgeline.model.imports;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A JSON object that is asked by key; what is missing or of another type is refused by file and
 * key.
 */
record JsonObject(Path path, String place, Map<?, ?> values) {
  private static final int MOST = 1 << 24;

  boolean has(String key) {
    return values.get(key) != null;
  }

  String string(String key) {
    return required(key, String.class);
  }

  String string(String key, String fallback) {
    return has(key) ? string(key) : fallback;
  }

  boolean flag(String key, boolean fallback) {
    return has(key) ? required(key, Boolean.class) : fallback;
  }

  /** A whole number that counts something, so at least 1. */
  int count(String key) {
    long value = required(key, Long.class);
    if (value < 1 || value > MOST) throw wrong(key, "is " + value);
    return (int) value;
  }

  int count(String key, int fallback) {
    return has(key) ? count(key) : fallback;
  }

  float real(String key, float fallback) {
    if (!has(key)) return fallback;
    double value = required(key, Number.class).doubleValue();
    if (!Double.isFinite(value) || value <= 0) throw wrong(key, "is " + value);
    return (float) value;
  }

  JsonObject object(String key) {
    return new JsonObject(path, place + key + ".", required(key, Map.class));
  }

  List<?> array(String key) {
    return required(key, List.class);
  }

  ImportException wrong(String key, String reason) {
    return new ImportException(path, "'" + place + key + "' " + reason);
  }

  private <T> T required(String key, Class<T> type) {
    Object value = values.get(key);
    if (value == null) throw wrong(key, "is missing");
    if (!type.isInstance(value)) throw wrong(key, "has another type than expected");
    return type.cast(value);
  }
}
