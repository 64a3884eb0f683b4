package dev.ridgeline.tensor.gguf;

import java.util.Map;

/** Tensor types that GGUF files may have and this project does not read, for messages. */
final class ForeignTypes {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(9, "q8_1"),
          Map.entry(15, "q8_k"),
          Map.entry(16, "iq2_xxs"),
          Map.entry(17, "iq2_xs"),
          Map.entry(18, "iq3_xxs"),
          Map.entry(19, "iq1_s"),
          Map.entry(21, "iq3_s"),
          Map.entry(22, "iq2_s"),
          Map.entry(24, "i8"),
          Map.entry(25, "i16"),
          Map.entry(27, "i64"),
          Map.entry(28, "f64"),
          Map.entry(29, "iq1_m"),
          Map.entry(34, "tq1_0"),
          Map.entry(35, "tq2_0"),
          Map.entry(40, "nvfp4"),
          Map.entry(41, "q1_0"),
          Map.entry(42, "q2_0"));

  private ForeignTypes() {}

  /** {@code 16 (iq2_xxs)}. */
  static String describe(int code) {
    String name = NAMES.get(code);
    String number = Integer.toUnsignedString(code);
    return name == null ? number : "%s (%s)".formatted(number, name);
  }
}
