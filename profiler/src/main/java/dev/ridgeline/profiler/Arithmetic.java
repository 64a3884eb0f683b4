package dev.ridgeline.profiler;

/**
 * A form of arithmetic that work is declared in, because a machine does each at a speed of its own.
 * A multiplication and an addition count as two operations.
 *
 * <p>Profiles on disk name a form by its position here, so new ones go to the end.
 */
public enum Arithmetic {
  /** Fused multiply-add of f32. */
  F32("f32", "f32", "fma"),
  /** Four products of bytes at once, added to an i32. */
  INT8("int8", "int8", "vpdpbusd"),
  /** Pairs of bf16, added to an f32. */
  BF16("bf16", "bf16", "vdpbf16ps"),
  /** Bytes that were widened to 16 bits, for processors without {@link #INT8}. */
  INT8_WORDS("int8-words", "int8", "vpmaddwd"),
  /** Bytes times weights of a few bits, whose sums fit 16 bits for a while. */
  INT8_NIBBLES("int8-nibbles", "int8", "vpmaddubsw"),
  /** Tiles of bytes. */
  AMX_INT8("amx-int8", "int8", "tdpbsud"),
  /** Tiles of bf16. */
  AMX_BF16("amx-bf16", "bf16", "tdpbf16ps");

  private final String word;
  private final String numbers;
  private final String instruction;

  Arithmetic(String word, String numbers, String instruction) {
    this.word = word;
    this.numbers = numbers;
    this.instruction = instruction;
  }

  /** As options and files for programs call it: {@code int8-words}. */
  public String word() {
    return word;
  }

  /** What is multiplied: {@code int8}. */
  public String numbers() {
    return numbers;
  }

  /** The instruction that does most of it. */
  public String instruction() {
    return instruction;
  }

  /** Whether it is done with whole numbers. */
  public boolean integer() {
    return numbers.equals("int8");
  }

  /** Of a thousand million a second. */
  public String unit() {
    return integer() ? "GOP/s" : "GFLOP/s";
  }
}
