package dev.ridgeline.train.config;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.train.json.WrongValueException;
import dev.ridgeline.train.net.Kept;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What is trained, on what and how.
 *
 * @param folder that the files it names are relative to
 * @param name of the model
 * @param batch sequences whose gradients are computed at a time
 * @param length tokens of a sequence
 * @param accumulate batches whose gradients make one step
 * @param steps of the optimizer; 0 if epochs are given
 * @param epochs how often all texts are read; 0 if steps are given
 * @param shards parts of a batch whose gradients are summed in order; 0 for the default
 * @param recompute whether activations are computed again in the backward pass instead of kept
 */
public record TrainConfig(
    Path folder,
    String name,
    ModelConfig model,
    TokenizerConfig tokenizer,
    DataConfig data,
    int batch,
    int length,
    int accumulate,
    int steps,
    double epochs,
    int shards,
    OptimizerConfig optimizer,
    long seed,
    EvaluateConfig evaluate,
    CheckpointConfig checkpoint,
    SampleConfig sample,
    Storage storage,
    boolean recompute,
    Strategy strategy) {
  static final int MOST_STEPS = 10_000_000;
  static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,60}";

  public TrainConfig {
    if (!name.matches(NAME)) {
      throw new WrongValueException("name", "letters, digits and . _ -: it names files");
    }
    Range.within("batch", batch, 1, 65_536);
    Range.within("length", length, 1, ModelConfig.Fresh.LONGEST_CONTEXT);
    Range.within("accumulate", accumulate, 1, 65_536);
    Range.within("steps", steps, 0, MOST_STEPS);
    Range.within("epochs", epochs, 0, 1e6);
    Range.within("shards", shards, 0, 65_536);
    if (steps > 0 == epochs > 0) throw new WrongValueException("steps", "give steps or epochs");
    if (shards > 0 && batch % shards != 0) {
      throw new WrongValueException(
          "shards", "%d sequences cannot be divided into %d equal shards".formatted(batch, shards));
    }
    if (model instanceof ModelConfig.Fresh fresh && length > fresh.context()) {
      throw new WrongValueException(
          "length", "%d is above the context of %d".formatted(length, fresh.context()));
    }
    if (steps > 0 && optimizer.warmup() > steps) {
      throw new WrongValueException(
          "optimizer.warmup", "%d of %d steps".formatted(optimizer.warmup(), steps));
    }
    if (recompute && storage != Storage.F32) {
      throw new WrongValueException("storage", "with recompute no activations are kept");
    }
  }

  /** What is kept of a layer for its backward pass. */
  public Kept kept() {
    if (recompute) return Kept.INPUTS;
    return storage == Storage.BF16 ? Kept.HALVES : Kept.ALL;
  }

  /** The same with another strategy, which gives the same bits. */
  public TrainConfig withStrategy(Strategy other) {
    return new TrainConfig(
        folder,
        name,
        model,
        tokenizer,
        data,
        batch,
        length,
        accumulate,
        steps,
        epochs,
        shards,
        optimizer,
        seed,
        evaluate,
        checkpoint,
        sample,
        storage,
        recompute,
        other);
  }

  /** A file that it names. */
  public Path resolve(String file) {
    return folder.resolve(file);
  }

  /**
   * Identifies trainings that end with the same weights: the first 16 digits of the SHA-256 of all
   * values but names, output, and those that do not change a bit.
   */
  public String digest() {
    List<Object> parts =
        List.of(
            model,
            tokenizer,
            data,
            batch,
            length,
            accumulate,
            steps,
            epochs,
            shards,
            optimizer,
            seed,
            storage);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(parts.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }
}
