package dev.ridgeline.tensor.quant;

import dev.ridgeline.tensor.Printable;
import dev.ridgeline.tensor.TensorType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a model file is quantized to: one type for most of its tensors, and a rule for the others.
 * Names and codes are those of llama.cpp ({@code general.file_type}).
 */
public enum FileType {
  F32(0, TensorType.F32),
  F16(1, TensorType.F16),
  BF16(32, TensorType.BF16),
  Q8_0(7, TensorType.Q8_0),
  Q4_0(2, TensorType.Q4_0),
  Q4_1(3, TensorType.Q4_1),
  Q5_0(8, TensorType.Q5_0),
  Q5_1(9, TensorType.Q5_1),
  Q4_K_S(14, TensorType.Q4_K),
  Q4_K_M(15, TensorType.Q4_K),
  Q5_K_S(16, TensorType.Q5_K),
  Q5_K_M(17, TensorType.Q5_K),
  Q6_K(18, TensorType.Q6_K);

  /** What files are called whose tensors are only read. */
  private static final Map<Integer, String> READ_ONLY =
      Map.of(
          10, "q2_k",
          11, "q3_k_s",
          12, "q3_k_m",
          13, "q3_k_l",
          21, "q2_k_s",
          25, "iq4_nl",
          30, "iq4_xs",
          38, "mxfp4_moe");

  private final int code;
  private final TensorType type;

  FileType(int code, TensorType type) {
    this.code = code;
    this.type = type;
  }

  /** Its number in a GGUF file. */
  public int code() {
    return code;
  }

  /** What most tensors become. */
  public TensorType type() {
    return type;
  }

  /** As users write it: {@code q4_k_m}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of a word; {@code q4_k} and {@code q5_k} mean the middle mix, as elsewhere. */
  public static FileType of(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    if (name.equals("Q4_K") || name.equals("Q5_K")) name += "_M";
    for (FileType type : values()) if (type.name().equals(name)) return type;
    if (onlyRead(word)) {
      throw new IllegalArgumentException(
          "'%s' can be read but not written: choose one of %s"
              .formatted(Printable.line(word), words()));
    }
    throw new IllegalArgumentException(
        "'%s' is none of %s".formatted(Printable.line(word), words()));
  }

  /** What a user means who names the type of most tensors. */
  public static FileType of(TensorType type) {
    return of(type.word());
  }

  /** The type of this number in a GGUF file, or null. */
  public static FileType ofCode(int code) {
    for (FileType type : values()) if (type.code == code) return type;
    return null;
  }

  /**
   * What users call the type of this number in a GGUF file, also one that is only read; or null.
   */
  public static String wordOfCode(int code) {
    FileType type = ofCode(code);
    return type != null ? type.word() : READ_ONLY.get(code);
  }

  /** Whether tensors or files of this type are read but cannot be written. */
  public static boolean onlyRead(String word) {
    return READ_ONLY.containsValue(word.toLowerCase(Locale.ROOT))
        || Arrays.stream(TensorType.values())
            .anyMatch(type -> !type.writable() && type.word().equalsIgnoreCase(word));
  }

  /** All words, for messages. */
  public static String words() {
    return Arrays.stream(values()).map(FileType::word).collect(Collectors.joining(", "));
  }
}
