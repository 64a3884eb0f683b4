package dev.ridgeline.bench;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.store.StoreException;
import dev.ridgeline.tensor.Workers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The same texts embedded by 1, 2, 4 … workers and by each strategy, in turns: how much of another
 * core arrives, and from how many texts on which strategy is the fastest.
 */
public final class Scaling {
  private static final Strategy[] STRATEGIES = {Strategy.FINE, Strategy.COARSE, Strategy.PACKED};
  private static final int[] COUNTS = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128};
  private static final int TEXTS = 512;

  /** Seconds of a reading at least. */
  private static final double READING = 0.25;

  private static final double WARM_UP = 3;

  private final int rounds;
  private final Random random = new Random(1);
  private final List<String> texts = new ArrayList<>();
  private float[] vectors;

  private Scaling(int rounds) {
    this.rounds = rounds;
  }

  /**
   * @param args the model, and how many rounds
   */
  public static void main(String[] args) {
    if (args.length > 2 || args.length == 2 && !args[1].matches("[1-9]\\d{0,3}")) {
      System.err.println("scaling: say the model, and how many rounds");
      System.exit(2);
    }
    String model = args.length > 0 ? args[0] : "all-minilm-l6-v2";
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    Path file = null;
    try {
      file = Models.here().resolve(ModelName.of(model), Progress.SILENT);
    } catch (StoreException e) {
      System.err.println("scaling: " + e.getMessage());
      System.exit(2);
    }
    System.out.printf(
        "%s, %d texts of 10 to 120 tokens, %d rounds in turns%n%n", model, TEXTS, rounds);
    new Scaling(rounds).run(file);
  }

  private void run(Path file) {
    Map<Integer, Embedder> embedders = new TreeMap<>();
    try {
      for (int workers = 1; workers < Workers.cpus(); workers *= 2) open(embedders, file, workers);
      open(embedders, file, Workers.cpus());
      Embedder one = embedders.get(1);
      while (texts.size() < TEXTS) texts.add(RandomText.of(one, random.nextInt(8, 119), random));
      vectors = new float[TEXTS * one.dimensions()];
      byWorkers(embedders);
      byTexts(embedders.get(Workers.cpus()));
    } finally {
      embedders.values().forEach(Embedder::close);
    }
  }

  private static void open(Map<Integer, Embedder> embedders, Path file, int workers) {
    var options = EmbedderOptions.DEFAULT.withWorkers(workers);
    embedders.put(workers, Embedder.open(file, options));
  }

  private record Cell(Strategy strategy, int at) {}

  private void byWorkers(Map<Integer, Embedder> embedders) {
    List<Cell> cells = new ArrayList<>();
    for (Strategy strategy : STRATEGIES) {
      for (int workers : embedders.keySet()) cells.add(new Cell(strategy, workers));
    }
    for (Cell cell : cells) warm(embedders.get(cell.at), cell.strategy, TEXTS);
    Map<Cell, double[]> rates = new HashMap<>();
    for (int round = 0; round < rounds; round++) {
      Collections.shuffle(cells, random);
      for (Cell cell : cells) {
        double rate = rate(embedders.get(cell.at), cell.strategy, TEXTS);
        rates.computeIfAbsent(cell, _ -> new double[rounds])[round] = rate;
      }
    }
    System.out.println("workers             fine           coarse           packed   texts/s");
    for (int workers : embedders.keySet()) {
      System.out.printf("%7d", workers);
      for (Strategy strategy : STRATEGIES) {
        double one = median(rates.get(new Cell(strategy, 1)));
        double all = median(rates.get(new Cell(strategy, workers)));
        System.out.printf(" %8.1f (%3.0f %%)", all, 100 * all / one / workers);
      }
      System.out.println();
    }
    System.out.println();
  }

  private void byTexts(Embedder embedder) {
    System.out.printf("%d workers, of so many texts at a time%n", embedder.workers());
    System.out.println("  texts     fine   coarse   packed   texts/s");
    for (int count : COUNTS) {
      Map<Strategy, double[]> rates = new EnumMap<>(Strategy.class);
      for (int round = 0; round < rounds; round++) {
        List<Strategy> order = Arrays.asList(STRATEGIES.clone());
        Collections.shuffle(order, random);
        for (Strategy strategy : order) {
          double rate = rate(embedder, strategy, count);
          rates.computeIfAbsent(strategy, _ -> new double[rounds])[round] = rate;
        }
      }
      System.out.printf("%7d", count);
      Strategy best = Strategy.FINE;
      for (Strategy strategy : STRATEGIES) {
        double rate = median(rates.get(strategy));
        if (rate > median(rates.get(best))) best = strategy;
        System.out.printf(" %8.1f", rate);
      }
      System.out.println("   " + best.word());
    }
  }

  private void warm(Embedder embedder, Strategy strategy, int count) {
    long end = System.nanoTime() + (long) (WARM_UP * 1e9 / STRATEGIES.length);
    do {
      embedder.embed(texts.subList(0, count), vectors, strategy);
    } while (System.nanoTime() < end);
  }

  /** Texts in a second, of as many passes as a reading takes. */
  private double rate(Embedder embedder, Strategy strategy, int count) {
    List<String> some = texts.subList(0, count);
    long start = System.nanoTime();
    int passes = 0;
    double seconds;
    do {
      embedder.embed(some, vectors, strategy);
      passes++;
      seconds = (System.nanoTime() - start) / 1e9;
    } while (seconds < READING);
    return passes * count / seconds;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
