package dev.ridgeline.cli;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;

/** A model that writes nonsense, at once. */
final class TinyDecoder {
  /** Tokens of a sequence at most. */
  static final int CONTEXT = 128;

  private TinyDecoder() {}

  static Path write(Path path) {
    SynthModel.write(SynthShape.LLAMA2C_TINY, TensorType.F32, 1, path, _ -> {});
    return path;
  }
}
