package dev.ridgeline.lab.answer;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Perplexity;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.quant.FileType;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** What rounding weights costs: not time, but how far results are from those in f32. */
public final class Rounded {
  private Rounded() {}

  /** Cosines of vectors to those of another file of the model. */
  public record Closeness(double mean, double least) {}

  /** The vectors of texts. */
  public static List<float[]> vectors(Path model, List<String> texts, int workers) {
    EmbedderOptions options = EmbedderOptions.DEFAULT.withTruncation().withWorkers(workers);
    try (Embedder embedder = Embedder.open(model, options)) {
      return embedder.embed(texts);
    }
  }

  public static Closeness closeness(List<float[]> exact, List<float[]> rounded) {
    double sum = 0;
    double least = 1;
    for (int i = 0; i < exact.size(); i++) {
      double cosine = Embedder.cosine(exact.get(i), rounded.get(i));
      sum += cosine;
      least = Math.min(least, cosine);
    }
    return new Closeness(sum / exact.size(), least);
  }

  public static Perplexity perplexity(Path model, String text, int window, int workers) {
    var options =
        GeneratorOptions.DEFAULT.withWorkers(workers).withCache(TensorType.F32).withContext(window);
    return Perplexity.of(model, options, text, 0);
  }

  /** Rows that are drawn: enough for three digits of an error. */
  private static final int DRAWN = 64;

  /** What puts a row of numbers in f32 somewhere. */
  private interface Row {
    void put(long row, MemorySegment to);
  }

  /** The root mean square of what rounding changes, as a part of the numbers' own. */
  public static double weights(GgufTensor exact, TensorType type) {
    long columns = exact.columns();
    long bytes = exact.type().bytes(columns);
    return error(
        type,
        exact.rows(),
        columns,
        (row, to) ->
            Quantizer.dequantize(
                exact.type(), exact.address() + row * bytes, columns, to.address()));
  }

  /** The same of numbers drawn from a normal distribution. */
  public static double drawn(int columns, TensorType type) {
    var random = new SplittableRandom(1);
    return error(
        type,
        DRAWN,
        columns,
        (_, to) -> {
          for (int i = 0; i < columns; i++) {
            to.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
          }
        });
  }

  private static double error(TensorType type, long rows, long columns, Row exact) {
    double error = 0;
    double size = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(4 * columns, Memory.ALIGNMENT);
      MemorySegment to = arena.allocate(4 * columns, Memory.ALIGNMENT);
      MemorySegment blocks = arena.allocate(type.bytes(columns), Memory.ALIGNMENT);
      for (long row = 0; row < rows; row++) {
        exact.put(row, from);
        Quantizer.quantize(type, from.address(), 1, columns, blocks.address());
        Quantizer.dequantize(type, blocks.address(), columns, to.address());
        for (long i = 0; i < columns; i++) {
          double number = from.getAtIndex(ValueLayout.JAVA_FLOAT, i);
          double change = to.getAtIndex(ValueLayout.JAVA_FLOAT, i) - number;
          error += change * change;
          size += number * number;
        }
      }
    }
    return Math.sqrt(error / size);
  }

  /** Types by their words; an IllegalArgumentException names the wrong one. */
  public static List<TensorType> types(String words) {
    List<TensorType> types = new ArrayList<>();
    for (String word : words.split(",")) types.add(type(word.strip()));
    return types.stream().distinct().toList();
  }

  public static TensorType type(String word) {
    for (TensorType type : TensorType.values()) {
      if (written(type) && type.word().equalsIgnoreCase(word)) return type;
    }
    String words =
        Arrays.stream(TensorType.values())
            .filter(Rounded::written)
            .map(TensorType::word)
            .collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        FileType.onlyRead(word)
            ? "'%s' can be read but not written: choose from %s".formatted(word, words)
            : "no type '%s': there is %s".formatted(word, words));
  }

  private static boolean written(TensorType type) {
    return type.writable() && type != TensorType.I32;
  }
}
