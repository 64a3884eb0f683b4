package dev.ridgeline.model.decoder;

import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What llama.cpp says behind some tokens; {@code golden.txt} says who made it. */
record GoldenLogits(SynthShape shape, TensorType type, int[] tokens, List<Position> positions) {
  /** Some logits behind a token, at even distances. */
  record Position(int position, double range, double[] samples) {
    /** The greatest difference, as a part of the range. */
    double distance(float[] logits) {
      double worst = 0;
      for (int i = 0; i < samples.length; i++) {
        double difference = Math.abs(logits[i * logits.length / samples.length] - samples[i]);
        if (!(difference <= worst)) worst = difference; // not a number is worst
      }
      return worst / range;
    }
  }

  static List<GoldenLogits> all() {
    List<GoldenLogits> all = new ArrayList<>();
    try (InputStream in = GoldenLogits.class.getResourceAsStream("golden.txt");
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line : reader.lines().filter(line -> !line.startsWith("#")).toList()) {
        String[] words = line.split(" ");
        if (Character.isLetter(line.charAt(0))) {
          int[] tokens = Stream.of(words).skip(2).mapToInt(Integer::parseInt).toArray();
          SynthShape shape = SynthShape.of(words[0]);
          TensorType type = TensorType.valueOf(words[1].toUpperCase(Locale.ROOT));
          all.add(new GoldenLogits(shape, type, tokens, new ArrayList<>()));
        } else {
          double[] samples = Stream.of(words).skip(2).mapToDouble(Double::parseDouble).toArray();
          all.getLast()
              .positions()
              .add(new Position(Integer.parseInt(words[0]), Double.parseDouble(words[1]), samples));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /** The greatest difference at any of the positions. */
  double distance(float[][] logits) {
    double worst = 0;
    for (Position each : positions) {
      double distance = each.distance(logits[each.position()]);
      if (!(distance <= worst)) worst = distance;
    }
    return worst;
  }

  @Override
  public String toString() {
    return shape.word() + ":" + type.word();
  }
}
