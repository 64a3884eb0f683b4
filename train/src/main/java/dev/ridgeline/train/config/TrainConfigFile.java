package dev.ridgeline.train.config;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.train.Schedule.Kind;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig.Architecture;
import dev.ridgeline.train.json.Fields;
import dev.ridgeline.train.json.Json;
import dev.ridgeline.train.json.WrongValueException;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the configuration of a training. A missing key has the default of {@code
 * docs/train.schema.json}; an error is a {@link TrainException} that names file, line and key.
 */
public final class TrainConfigFile {
  private static final long MOST_BYTES = 1 << 20;
  private static final int USUAL_WARMUP = 100;

  private final Path file;
  private final Fields root;

  private TrainConfigFile(Path file) {
    this.file = file;
    this.root = Json.read(file, bytes(file));
  }

  /** The configuration in a file. */
  public static TrainConfig read(Path file) {
    return new TrainConfigFile(file).config();
  }

  private static byte[] bytes(Path file) {
    // Opening a pipe would wait for its writer, perhaps for ever.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new TrainException(file, Files.isDirectory(file) ? "is a directory" : "not a file");
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new TrainException(file, "too large for a configuration");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw TrainException.of(file, e);
    }
  }

  private TrainConfig config() {
    Set<String> keys = keys(TrainConfig.class, "$schema");
    keys.remove("folder");
    root.only(keys).text("$schema", "");
    return root.made(
        () -> {
          String name = name();
          ModelConfig model = model();
          TokenizerConfig tokenizer = tokenizer(model);
          DataConfig data = data();
          int batch = root.integer("batch", 32);
          int length =
              model instanceof ModelConfig.Fresh fresh
                  ? root.integer("length", fresh.context())
                  : root.integer("length");
          int accumulate = root.integer("accumulate", 1);
          int steps = steps();
          return new TrainConfig(
              file.resolveSibling(""),
              name,
              model,
              tokenizer,
              data,
              batch,
              length,
              accumulate,
              steps,
              epochs(),
              root.integer("shards", 0),
              optimizer(steps),
              root.whole("seed", 1),
              evaluate(),
              checkpoint(),
              sample(),
              root.choice("storage", Storage.F32, Storage.values()),
              root.flag("recompute", false),
              root.choice("strategy", Strategy.AUTO, Strategy.values()));
        });
  }

  /** The components of a record, and some more. */
  private static Set<String> keys(Class<? extends Record> type, String... more) {
    Set<String> keys = new LinkedHashSet<>();
    for (RecordComponent component : type.getRecordComponents()) keys.add(component.getName());
    keys.addAll(List.of(more));
    return keys;
  }

  private String name() {
    if (root.has("name")) return root.text("name");
    String name = file.getFileName().toString().replaceFirst("\\.json$", "");
    if (name.matches(TrainConfig.NAME)) return name;
    throw root.fail("name", "missing, and the name of the file cannot be used");
  }

  private int steps() {
    int steps = root.integer("steps", 0);
    if (root.has("steps")) Range.within("steps", steps, 1, TrainConfig.MOST_STEPS);
    return steps;
  }

  private double epochs() {
    if (!root.has("epochs")) return 0;
    if (root.has("steps")) throw root.fail("epochs", "give steps or epochs, not both");
    double epochs = root.real("epochs", 0);
    Range.above("epochs", epochs, 0, 1e6);
    return epochs;
  }

  private ModelConfig model() {
    if (!root.has("model")) throw root.fail("model", "missing");
    Fields model = root.object("model");
    if (model.has("file")) {
      return model
          .only(keys(ModelConfig.Continued.class))
          .made(() -> new ModelConfig.Continued(model.text("file")));
    }
    model.only(keys(ModelConfig.Fresh.class, "file"));
    Architecture shape = model.choice("shape", null, Architecture.values());
    int dim = model.integer("dim");
    int layers = model.integer("layers");
    int heads = model.integer("heads");
    // What is far out of range is refused before anything is made of it.
    int usual = dim < 2 || dim > 65_536 ? 1 : shape.usualHidden(dim);
    return model.made(
        () ->
            new ModelConfig.Fresh(
                shape,
                dim,
                layers,
                heads,
                model.integer("keyHeads", heads),
                model.integer("hidden", usual),
                model.integer("context"),
                model.flag("tied", true)));
  }

  private TokenizerConfig tokenizer(ModelConfig model) {
    if (!root.has("tokenizer")) {
      return model instanceof ModelConfig.Continued continued
          ? new TokenizerConfig.Taken(continued.file())
          : new TokenizerConfig.Bytes();
    }
    if (root.isText("tokenizer")) {
      if (root.text("tokenizer").equals("bytes")) return new TokenizerConfig.Bytes();
      throw root.fail(
          "tokenizer",
          "'%s' is neither bytes, nor {\"train\": \"bpe\", \"vocabulary\": 1024}, nor {\"from\":"
                  .formatted(root.text("tokenizer"))
              + " \"model.gguf\"}");
    }
    Fields fields = root.object("tokenizer");
    if (fields.has("from")) {
      return fields
          .only(keys(TokenizerConfig.Taken.class))
          .made(() -> new TokenizerConfig.Taken(fields.text("from")));
    }
    fields.only(keys(TokenizerConfig.Trained.class, "train", "from"));
    String kind = fields.text("train");
    return fields.made(
        () -> {
          if (!kind.equals("bpe")) {
            throw new WrongValueException("train", "'%s' is not one of bpe".formatted(kind));
          }
          return new TokenizerConfig.Trained(fields.integer("vocabulary"));
        });
  }

  private DataConfig data() {
    if (!root.has("data")) throw root.fail("data", "missing");
    Fields data = root.object("data").only(keys(DataConfig.class));
    return data.made(
        () ->
            new DataConfig(
                data.texts("files"),
                data.text("separator", ""),
                data.text("field", "text"),
                data.real("evaluation", 0.1)));
  }

  private OptimizerConfig optimizer(int steps) {
    Fields optimizer = root.object("optimizer").only(keys(OptimizerConfig.class));
    double rate = optimizer.real("rate", 1e-3);
    int usual = steps > 0 ? Math.min(USUAL_WARMUP, steps / 10) : USUAL_WARMUP;
    return optimizer.made(
        () ->
            new OptimizerConfig(
                rate,
                optimizer.real("minimumRate", rate / 10),
                optimizer.choice("schedule", Kind.COSINE, Kind.values()),
                optimizer.integer("warmup", usual),
                optimizer.real("beta1", 0.9),
                optimizer.real("beta2", 0.99),
                optimizer.real("epsilon", 1e-8),
                optimizer.real("decay", 0.1),
                optimizer.real("clip", 1)));
  }

  private EvaluateConfig evaluate() {
    Fields evaluate = root.object("evaluate").only(keys(EvaluateConfig.class));
    return evaluate.made(() -> new EvaluateConfig(evaluate.integer("every", 250)));
  }

  private CheckpointConfig checkpoint() {
    Fields checkpoint = root.object("checkpoint").only(keys(CheckpointConfig.class));
    return checkpoint.made(
        () ->
            new CheckpointConfig(checkpoint.integer("every", 250), checkpoint.integer("keep", 2)));
  }

  private SampleConfig sample() {
    Fields sample = root.object("sample").only(keys(SampleConfig.class));
    return sample.made(
        () ->
            new SampleConfig(
                sample.integer("every", 250),
                sample.text("prompt", "\n"),
                sample.integer("tokens", 200),
                sample.real("temperature", 0.8)));
  }
}
