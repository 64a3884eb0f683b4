package dev.ridgeline.bench;

import dev.ridgeline.model.Embedder;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A program that opens a model, embeds one text, and says when it had done so. */
public final class FirstText {
  private FirstText() {}

  public static void main(String[] args) {
    try (Embedder embedder = Embedder.open(Path.of(args[0]))) {
      long ready = now();
      embedder.embed("Where does the time go when a program has only just been started?");
      long first = now();
      embedder.embed("And where does it go the second time that somebody asks it?");
      System.out.println(ready + " " + first + " " + now());
    }
  }

  /** Microseconds, on the clock that all processes share. */
  static long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
