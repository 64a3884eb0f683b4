package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.texts.Entry;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.TextException;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes texts through an embedder, piece by piece and in their order, and keeps the time. A piece
 * is as many texts as half a second takes, so that progress is seen to move.
 */
final class BatchedEmbedding {
  private static final int FIRST_PIECE = 16;

  /** Fewer fill no matrix, and a cold JVM would never get to more. */
  private static final int SMALLEST_PIECE = 4;

  private static final int LARGEST_PIECE = 512;
  private static final double PIECE_SECONDS = 0.5;

  private final Embedder embedder;
  private final Progress progress;
  private final float[] vectors;
  private int piece = FIRST_PIECE;
  private long texts;
  private long nanos;

  BatchedEmbedding(Embedder embedder, Progress progress) {
    this.embedder = embedder;
    this.progress = progress;
    this.vectors = new float[LARGEST_PIECE * embedder.dimensions()];
  }

  /** Takes the vector of a text, which begins somewhere in an array. */
  interface Sink {
    void vector(Entry entry, float[] numbers, int from) throws IOException;
  }

  /** Embeds what is left of the texts, a prompt before each, and answers how many those were. */
  long run(String prompt, Texts source, Sink sink) throws IOException {
    long start = System.nanoTime();
    List<String> waiting = new ArrayList<>();
    List<Entry> entries = new ArrayList<>();
    long done = 0;
    for (Entry entry; (entry = source.entry()) != null || !waiting.isEmpty(); ) {
      if (entry != null) {
        waiting.add(prompt + entry.text());
        entries.add(entry);
        if (waiting.size() < piece) continue;
      }
      embed(waiting, entries, source);
      for (int i = 0; i < waiting.size(); i++) {
        sink.vector(entries.get(i), vectors, i * embedder.dimensions());
      }
      done += waiting.size();
      waiting.clear();
      entries.clear();
      show(source.part(), (System.nanoTime() - start) / 1e9);
    }
    return done;
  }

  private void embed(List<String> waiting, List<Entry> entries, Texts source) {
    long start = System.nanoTime();
    for (boolean whole = false; !whole && !waiting.isEmpty(); ) {
      try {
        embedder.embed(waiting, vectors);
        whole = true;
      } catch (TextException e) {
        long index = entries.get(e.index()).index();
        if (e.kind() != TextException.Kind.EMPTY) {
          throw new Problem(source.place(index) + " " + e.reason() + Problem.remedy(e), e);
        }
        // Something was there, but nothing that the model has a token for.
        source.skip(index);
        waiting.remove(e.index());
        entries.remove(e.index());
      }
    }
    long took = System.nanoTime() - start;
    nanos += took;
    texts += waiting.size();
    double inTime = waiting.size() * PIECE_SECONDS / Math.max(1e-9, took / 1e9);
    piece = (int) Math.clamp(inTime, SMALLEST_PIECE, LARGEST_PIECE);
  }

  private void show(double part, double seconds) {
    StringBuilder line = new StringBuilder("embedding: ").append(line());
    if (part > 0) {
      line.append(", ").append(Quantity.percent(part));
      line.append(", ").append(Quantity.left(seconds * (1 - part) / part)).append(" left");
    }
    progress.step(line.toString());
  }

  /** Texts so far. */
  long texts() {
    return texts;
  }

  /** {@code 1,024 texts, 94.6 texts/s}. */
  String line() {
    return "%s, %,.1f texts/s"
        .formatted(Quantity.many(texts, "text"), texts / Math.max(1e-9, nanos / 1e9));
  }
}
