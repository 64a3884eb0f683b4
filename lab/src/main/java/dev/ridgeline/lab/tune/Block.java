package dev.ridgeline.lab.tune;

import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one fresh process measures: some values of a tunable beside the one there is, round by
 * round.
 *
 * @param base everything else, and the value that the others are held against
 * @param values to be tried
 * @param shapes whose products are measured; of no matter where it is about texts
 */
public record Block(
    Tunable tunable,
    Tiling base,
    List<Integer> values,
    List<WeightShape> shapes,
    double seconds,
    long seed) {
  public Block {
    values = List.copyOf(values);
    shapes = List.copyOf(shapes);
  }

  /** For the command line of a process; {@link #parse} reads it there. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(tunable.word(), base.toString(), values.toString(), "" + seconds));
    words.add("" + seed);
    for (WeightShape each : shapes) words.add(each.toString());
    return words;
  }

  /** A block by its words; an IllegalArgumentException where they are none. */
  public static Block parse(List<String> words) {
    if (words.size() < 5) throw new IllegalArgumentException("a block of " + words);
    Tunable tunable = Tunable.named(words.get(0));
    if (tunable == null) throw new IllegalArgumentException("no tunable " + words.get(0));
    String values = words.get(2).replaceAll("[\\[\\] ]", "");
    return new Block(
        tunable,
        Tiling.preset(Tier.here()).and(words.get(1)),
        Arrays.stream(values.split(",")).map(Integer::valueOf).toList(),
        words.stream().skip(5).map(WeightShape::parse).toList(),
        Double.parseDouble(words.get(3)),
        Long.parseLong(words.get(4)));
  }

  /**
   * What was measured.
   *
   * @param ratios by value: the time of all that it is about over that with the base's, by round
   * @param parts by value: the same for each part, the median over the rounds
   */
  public record Result(Map<Integer, List<Double>> ratios, Map<Integer, Map<String, Double>> parts) {
    /** As the process prints it; {@link #parse} reads it. */
    public String text() {
      var text = new StringBuilder();
      ratios.forEach(
          (value, all) -> {
            text.append("ratios ").append(value);
            for (double each : all) text.append(' ').append(each);
            text.append('\n');
          });
      parts.forEach(
          (value, all) ->
              all.forEach(
                  (part, ratio) -> text.append("part %d %s %s\n".formatted(value, ratio, part))));
      return text.append("end\n").toString();
    }

    /** A result by its text; an IllegalArgumentException where it is none or not whole. */
    public static Result parse(String text) {
      Map<Integer, List<Double>> ratios = new LinkedHashMap<>();
      Map<Integer, Map<String, Double>> parts = new LinkedHashMap<>();
      if (!text.endsWith("end\n")) throw new IllegalArgumentException("half a result");
      for (String line : text.lines().toList()) {
        String[] words = line.split(" ", line.startsWith("part ") ? 4 : -1);
        if (words[0].equals("ratios")) {
          List<Double> all = Arrays.stream(words).skip(2).map(Double::valueOf).toList();
          ratios.put(Integer.valueOf(words[1]), all);
        } else if (words[0].equals("part")) {
          parts
              .computeIfAbsent(Integer.valueOf(words[1]), _ -> new LinkedHashMap<>())
              .put(words[3], Double.valueOf(words[2]));
        } else if (!words[0].equals("end")) {
          throw new IllegalArgumentException("a line '%s'".formatted(line));
        }
      }
      return new Result(ratios, parts);
    }
  }
}
