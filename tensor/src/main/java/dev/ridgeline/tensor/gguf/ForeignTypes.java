package dev.ridgeline.tensor.gguf;

import java.util.Map;

/** Tensor types that GGUF files may have and this project does not read, for messages. */
final class ForeignTypes {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(9, "q8_1"),
          Map.entry(10, "q2_k"),
          Map.entry(11, "q3_k"),
          Map.entry(15, "q8_k"),
          Map.entry(16, "iq2_xxs"),
          Map.entry(17, "iq2_xs"),
          Map.entry(18, "iq3_xxs"),
          Map.entry(19, "iq1_s"),
          Map.entry(20, "iq4_nl"),
          Map.entry(21, "iq3_s"),
          Map.entry(22, "iq2_s"),
          Map.entry(23, "iq4_xs"),
          Map.entry(24, "i8"),
          Map.entry(25, "i16"),
          Map.entry(27, "i64"),
          Map.entry(28, "f64"),
          Map.entry(29, "iq1_m"),
          Map.entry(34, "tq1_0"),
          Map.entry(35, "tq2_0"),
          Map.entry(39, "mxfp4"));

  private ForeignTypes() {}

  /** {@code 23 (iq4_xs)}. */
  static String describe(int code) {
    String name = NAMES.get(code);
    String number = Integer.toUnsignedString(code);
    return name == null ? number : "%s (%s)".formatted(number, name);
  }
}
