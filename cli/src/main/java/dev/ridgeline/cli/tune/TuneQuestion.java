package dev.ridgeline.cli.tune;

import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.lab.roofline.ModelWork;
import dev.ridgeline.lab.tune.Tuner;
import dev.ridgeline.lab.tune.WeightShape;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.tune.Tunable;
import java.nio.file.Path;
import java.util.List;

/**
 * What there is to tune, and with which model.
 *
 * @param of what is measured, in a few words
 * @param modelOrNull whose texts are embedded
 */
public record TuneQuestion(
    String of, List<WeightShape> shapes, List<Tunable> tunables, Path modelOrNull) {

  /** The shapes of a model; usual ones where none is named. */
  public static TuneQuestion of(Settings settings, String modelOrNull, Progress progress) {
    if (modelOrNull == null) {
      return of(
          "usual shapes",
          WeightShape.usual(TensorType.F32, TensorType.F16, TensorType.Q8_0, TensorType.Q4_0));
    }
    Path path = ModelOptions.file(settings, modelOrNull, progress);
    try (Gguf file = Gguf.open(path)) {
      List<WeightShape> shapes = WeightShape.of(file);
      boolean texts = ModelWork.of(file).embeds();
      return new TuneQuestion(
          modelOrNull, shapes, Tuner.tunables(shapes, texts), texts ? path : null);
    }
  }

  /** Shapes without a model. */
  public static TuneQuestion of(String words, List<WeightShape> shapes) {
    return new TuneQuestion(words, shapes, Tuner.tunables(shapes, false), null);
  }

  /** The same about some of them. */
  public TuneQuestion about(List<Tunable> some) {
    return new TuneQuestion(of, shapes, some, modelOrNull);
  }
}
