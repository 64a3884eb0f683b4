package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A matrix as a model has some: {@code 24 of q8_0 384x384}.
 *
 * @param times how many of this shape and type
 */
public record WeightShape(int times, TensorType type, int outputs, int inputs) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,6}) of (\\w+) (\\d{1,7})x(\\d{1,7})");

  /** Of an encoder and of a decoder, as small models are. */
  private static final int[][] USUAL = {
    {24, 384, 384},
    {6, 1536, 384},
    {6, 384, 1536},
    {4, 2048, 2048},
    {2, 5632, 2048},
    {1, 2048, 5632}
  };

  public WeightShape {
    if (times < 1 || outputs < 1 || inputs < 1 || inputs % type.blockSize() != 0) {
      throw new IllegalArgumentException("no matrix of %dx%d".formatted(outputs, inputs));
    }
  }

  /** What the layers of a model multiply with; what comes behind them sees few rows. */
  public static List<WeightShape> of(Gguf file) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Slot slot : Shape.of(file).slots()) {
      if (slot.kind() != Slot.Kind.MATRIX || !slot.name().startsWith("blk.")) continue;
      GgufTensor tensor = file.tensor(slot.name());
      String one = "%s %dx%d".formatted(tensor.type().word(), tensor.rows(), tensor.columns());
      counts.merge(one, 1, Integer::sum);
    }
    List<WeightShape> all = new ArrayList<>();
    counts.forEach((one, times) -> all.add(parse(times + " of " + one)));
    return all;
  }

  /** Usual ones, in each of some types. */
  public static List<WeightShape> usual(TensorType... types) {
    List<WeightShape> all = new ArrayList<>();
    for (TensorType type : types) {
      for (int[] one : USUAL) all.add(new WeightShape(one[0], type, one[1], one[2]));
    }
    return all;
  }

  /** Reads what {@link #toString} writes; else an IllegalArgumentException. */
  public static WeightShape parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("'%s' is no shape of weights".formatted(text));
    }
    return new WeightShape(
        Integer.parseInt(form.group(1)),
        Product.type(form.group(2)),
        Integer.parseInt(form.group(3)),
        Integer.parseInt(form.group(4)));
  }

  /** Products of two numbers for one row, in all of them. */
  long work() {
    return (long) times * outputs * inputs;
  }

  @Override
  public String toString() {
    return "%d of %s %dx%d".formatted(times, type.word(), outputs, inputs);
  }
}
