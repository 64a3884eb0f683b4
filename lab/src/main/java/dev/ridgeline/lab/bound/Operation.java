package dev.ridgeline.lab.bound;

import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.tensor.TensorType;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An operation of a certain size.
 *
 * @param type of the weights; f32 where it has no matrix
 * @param inputs numbers of a row
 * @param outputs numbers of a row of the result: as many as inputs where it has no matrix
 */
public record Operation(Kind kind, TensorType type, int rows, int inputs, int outputs) {
  private static final Pattern SHAPE =
      Pattern.compile("(\\d{1,7})[x×](\\d{1,7})(?:[x×](\\d{1,7}))?");

  /** What is offered. */
  public enum Kind {
    MATMUL(0),
    ADD(2),
    GELU(1),
    SWIGLU(2),
    LAYERNORM(1),
    RMSNORM(1);

    private final int operands;

    Kind(int operands) {
      this.operands = operands;
    }

    /** Whether rows meet a matrix; else each number, or row, is by itself. */
    public boolean multiplies() {
      return this == MATMUL;
    }

    /** Tensors of the result's shape that are read, where there is no matrix. */
    int operands() {
      return operands;
    }

    /** As typed. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** By its word; an IllegalArgumentException names all. */
    public static Kind of(String word) {
      for (Kind kind : values()) if (kind.word().equals(word)) return kind;
      throw new IllegalArgumentException(
          "'%s' is none of %s"
              .formatted(
                  word, Arrays.stream(values()).map(Kind::word).collect(Collectors.joining(", "))));
    }
  }

  public Operation {
    if (!kind.multiplies() && type != TensorType.F32) {
      throw new IllegalArgumentException(kind.word() + " has no weights that have a type");
    }
    if (!kind.multiplies() && outputs != inputs) {
      throw new IllegalArgumentException(kind.word() + ": say ROWSxCOLUMNS");
    }
    new Product(type, outputs, inputs, rows); // refuses what is none
  }

  /**
   * By its words; an IllegalArgumentException says what is wrong.
   *
   * @param shape {@code 1x4096x16384}: rows, inputs, outputs; {@code 2048x384} where there is no
   *     matrix
   * @param type {@code q8_0}
   */
  public static Operation parse(String kind, String shape, String type) {
    Kind what = Kind.of(kind);
    Matcher sizes = SHAPE.matcher(shape.strip().toLowerCase(Locale.ROOT));
    if (!sizes.matches() || (sizes.group(3) == null) == what.multiplies()) {
      throw new IllegalArgumentException(
          "'%s' is no shape of %s: say %s"
              .formatted(
                  shape,
                  what.word(),
                  what.multiplies() ? "ROWSxINPUTSxOUTPUTS, 1x4096x16384" : "ROWSxCOLUMNS"));
    }
    int inputs = Integer.parseInt(sizes.group(2));
    return new Operation(
        what,
        Product.type(type),
        Integer.parseInt(sizes.group(1)),
        inputs,
        sizes.group(3) == null ? inputs : Integer.parseInt(sizes.group(3)));
  }

  Product product() {
    return new Product(type, outputs, inputs, rows);
  }

  /** Bytes that are read besides weights. */
  long operandBytes() {
    return 4L * rows * inputs * Math.max(1, kind.operands());
  }

  /** Bytes of the result. */
  long resultBytes() {
    return 4L * rows * outputs;
  }

  /** Multiplications and additions of a product; 0 where nobody counts them. */
  public double operations() {
    return kind.multiplies() ? product().operations() : 0;
  }

  /** {@code 1x4096x16384}. */
  public String shape() {
    String sizes = rows + "x" + inputs;
    return kind.multiplies() ? sizes + "x" + outputs : sizes;
  }

  @Override
  public String toString() {
    return kind.multiplies()
        ? "%s %s %s".formatted(kind.word(), type.word(), shape())
        : "%s %s".formatted(kind.word(), shape());
  }
}
