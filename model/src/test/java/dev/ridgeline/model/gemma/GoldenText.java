package dev.ridgeline.model.gemma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A text, its tokens and its vector as llama.cpp has them; {@code golden.txt} says who made it. */
record GoldenText(String text, int[] tokens, double[] vector) {
  static List<GoldenText> all() {
    List<GoldenText> texts = new ArrayList<>();
    try (InputStream in = GoldenText.class.getResourceAsStream("golden.txt");
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> lines = reader.lines().filter(line -> !line.startsWith("#")).toList();
      for (int i = 0; i + 2 < lines.size(); i += 3) {
        texts.add(
            new GoldenText(
                lines.get(i),
                Stream.of(lines.get(i + 1).split(" ")).mapToInt(Integer::parseInt).toArray(),
                Stream.of(lines.get(i + 2).split(" ")).mapToDouble(Double::parseDouble).toArray()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }

  /** How near a vector is to the recorded one; both are of length 1. */
  double cosine(float[] other) {
    double sum = 0;
    for (int i = 0; i < vector.length; i++) sum += vector[i] * other[i];
    return sum;
  }
}
