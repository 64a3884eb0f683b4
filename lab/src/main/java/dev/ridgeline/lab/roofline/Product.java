package dev.ridgeline.lab.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.TensorType;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A product of a matrix of weights with some rows, and what it takes at least.
 *
 * @param outputs rows of the matrix
 * @param inputs its columns
 * @param rows that it is multiplied with: 1 when a token is decoded
 */
public record Product(TensorType type, int outputs, int inputs, int rows) {
  private static final Pattern FORM =
      Pattern.compile("(\\w+)\\s+(\\d{1,7})\\s*[x×]\\s*(\\d{1,7})\\s*[x×]\\s*(\\d{1,7})");

  /** Weights at most, so that nobody fills a machine by a slip of the finger. */
  private static final long MOST_BYTES = 4L << 30;

  public Product {
    if (type == TensorType.I32) throw new IllegalArgumentException("i32 is not a type of weights");
    if (outputs < 1 || inputs < 1 || rows < 1) throw new IllegalArgumentException("a size is 0");
    if (inputs % type.blockSize() != 0) {
      throw new IllegalArgumentException(
          "%d inputs do not fill blocks of %d (%s)"
              .formatted(inputs, type.blockSize(), type.word()));
    }
    if (Math.max(type.bytes((long) outputs * inputs), activations(outputs, inputs, rows))
        > MOST_BYTES) {
      throw new IllegalArgumentException("more than 4 GiB");
    }
  }

  /**
   * Reads {@code q4_k 2560x2560 x 1}: type, outputs × inputs, rows. An {@link
   * IllegalArgumentException} says what is wrong.
   */
  public static Product parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("say TYPE OUTPUTSxINPUTS x ROWS, q4_k 2560x2560 x 1");
    }
    return new Product(
        type(form.group(1)),
        Integer.parseInt(form.group(2)),
        Integer.parseInt(form.group(3)),
        Integer.parseInt(form.group(4)));
  }

  /** A type of weights by its word; an {@link IllegalArgumentException} where there is none. */
  public static TensorType type(String word) {
    for (TensorType type : TensorType.values()) if (type.word().equalsIgnoreCase(word)) return type;
    throw new IllegalArgumentException("no type '%s'".formatted(word));
  }

  public long weightBytes() {
    return type.bytes((long) outputs * inputs);
  }

  /** What is read and written besides the weights, in f32. */
  public long activationBytes() {
    return activations(outputs, inputs, rows);
  }

  private static long activations(long outputs, long inputs, long rows) {
    return 4 * rows * (inputs + outputs);
  }

  public long bytes() {
    return weightBytes() + activationBytes();
  }

  /** A multiplication and an addition for each weight and row. */
  public double operations() {
    return 2.0 * rows * outputs * inputs;
  }

  /** Operations for each byte that has to move. */
  public double intensity() {
    return operations() / bytes();
  }

  /** The least time with everything coming from one level, in the arithmetic that suits best. */
  public Floor floor(Level level, Ceilings roof) {
    return Floor.of(bytes(), level, Map.of(arithmetic(roof), operations()), roof);
  }

  /** The fastest arithmetic that its type allows here. */
  public Arithmetic arithmetic(Ceilings roof) {
    return Floor.arithmetic(type, roof);
  }

  /** Where everything lies when it is done again and again. */
  public Level home(Ceilings roof) {
    return Floor.home(bytes(), roof);
  }

  @Override
  public String toString() {
    return "%s %dx%d x %d".formatted(type.word(), outputs, inputs, rows);
  }
}
