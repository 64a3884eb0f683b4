package dev.ridgeline.lab.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One of the things that a sweep holds against each other.
 *
 * @param name what people call it, and the folder of its trials: {@code packed-8x2}
 * @param parameters what makes it different, by axis: {@code strategy → packed}
 */
public record Arm(String name, Map<String, String> parameters) {
  public Arm {
    if (!name.matches("[A-Za-z0-9_+-][A-Za-z0-9._+-]*")) {
      throw new IllegalArgumentException("an arm '%s'".formatted(name));
    }
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /** An arm of one axis. */
  public static Arm of(String axis, String value) {
    return new Arm(value.replaceAll("[^A-Za-z0-9._+-]+", "-"), Map.of(axis, value));
  }

  /** A parameter as a number; NaN where it is none. */
  public double number(String axis) {
    try {
      return Double.parseDouble(parameters.getOrDefault(axis, ""));
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }
}
