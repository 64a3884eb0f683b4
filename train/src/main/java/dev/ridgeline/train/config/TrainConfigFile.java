package dev.ridgeline.train.config;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.train.Schedule.Kind;
import dev.ridgeline.train.config.ModelConfig.Architecture;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the configuration of a training. What it does not say is as {@code docs/train.schema.json}
 * has it; what is wrong is a {@link dev.ridgeline.train.TrainException} that names file, line and
 * key.
 */
public final class TrainConfigFile {
  private static final int USUAL_WARMUP = 100;

  /** The first of them is what an editor knows the others by. */
  private static final String[] KEYS = {
    "$schema",
    "name",
    "model",
    "tokenizer",
    "data",
    "batch",
    "length",
    "accumulate",
    "steps",
    "epochs",
    "shards",
    "optimizer",
    "seed",
    "evaluate",
    "checkpoint",
    "sample",
    "storage",
    "recompute",
    "strategy"
  };

  private final Path file;
  private final Fields root;

  private TrainConfigFile(Path file) {
    this.file = file;
    this.root = Json.read(file).only(KEYS);
  }

  /** What a file asks for. */
  public static TrainConfig read(Path file) {
    return new TrainConfigFile(file).config();
  }

  private TrainConfig config() {
    root.text("$schema", "");
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
    int steps = root.integer("steps", 0);
    double epochs = root.real("epochs", 0);
    int shards = root.integer("shards", 0);
    OptimizerConfig optimizer = optimizer(steps);
    long seed = root.whole("seed", 1);
    Fields evaluating = root.object("evaluate").only("every");
    int every = evaluating.integer("every", 250);
    EvaluateConfig evaluate = evaluating.made(() -> new EvaluateConfig(every));
    CheckpointConfig checkpoint = checkpoint();
    SampleConfig sample = sample();
    Storage storage = root.choice("storage", Storage.F32, Storage.values());
    boolean recompute = root.flag("recompute", false);
    Strategy strategy = root.choice("strategy", Strategy.AUTO, Strategy.values());
    return root.made(
        () -> {
          oneOf(steps, epochs);
          return new TrainConfig(
              folder(),
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
              strategy);
        });
  }

  private Path folder() {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private String name() {
    if (root.has("name")) return root.text("name");
    String name = file.getFileName().toString().replaceFirst("\\.json$", "");
    if (name.matches(TrainConfig.NAME)) return name;
    throw root.fail("name", "missing, and the file's own name will not do");
  }

  private void oneOf(int steps, double epochs) {
    if (root.has("steps") && root.has("epochs")) {
      throw root.fail("epochs", "say steps or epochs, not both");
    }
    if (root.has("steps")) Range.within("steps", steps, 1, TrainConfig.MOST_STEPS);
    if (root.has("epochs")) Range.above("epochs", epochs, 0, 1e6);
  }

  private ModelConfig model() {
    if (!root.has("model")) throw root.fail("model", "missing");
    Fields model = root.object("model");
    if (model.has("file")) {
      model.only("file");
      String gguf = model.text("file");
      return model.made(() -> new ModelConfig.Continued(gguf));
    }
    model.only("shape", "dim", "layers", "heads", "keyHeads", "hidden", "context", "tied", "file");
    Architecture shape = model.choice("shape", null, Architecture.values());
    int dim = model.integer("dim");
    int layers = model.integer("layers");
    int heads = model.integer("heads");
    int keyHeads = model.integer("keyHeads", heads);
    // What is far out of range is refused before anything is made of it.
    int usual = dim < 2 || dim > 65_536 ? 1 : shape.usualHidden(dim);
    int hidden = model.integer("hidden", usual);
    int context = model.integer("context");
    boolean tied = model.flag("tied", true);
    return model.made(
        () -> new ModelConfig.Fresh(shape, dim, layers, heads, keyHeads, hidden, context, tied));
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
      fields.only("from");
      String from = fields.text("from");
      return fields.made(() -> new TokenizerConfig.Taken(from));
    }
    fields.only("train", "vocabulary", "from");
    String kind = fields.text("train");
    int vocabulary = fields.integer("vocabulary");
    return fields.made(
        () -> {
          if (!kind.equals("bpe")) {
            throw new WrongValueException("train", "'%s' is none of bpe".formatted(kind));
          }
          return new TokenizerConfig.Trained(vocabulary);
        });
  }

  private DataConfig data() {
    if (!root.has("data")) throw root.fail("data", "missing");
    Fields data = root.object("data").only("files", "separator", "field", "evaluation");
    List<String> files = data.texts("files");
    String separator = data.text("separator", "");
    String field = data.text("field", "text");
    double evaluation = data.real("evaluation", 0.1);
    return data.made(() -> new DataConfig(files, separator, field, evaluation));
  }

  private OptimizerConfig optimizer(int steps) {
    Fields optimizer =
        root.object("optimizer")
            .only(
                "rate",
                "minimumRate",
                "schedule",
                "warmup",
                "beta1",
                "beta2",
                "epsilon",
                "decay",
                "clip");
    double rate = optimizer.real("rate", 1e-3);
    double minimumRate = optimizer.real("minimumRate", rate / 10);
    Kind schedule = optimizer.choice("schedule", Kind.COSINE, Kind.values());
    int usual = steps > 0 ? Math.min(USUAL_WARMUP, steps / 10) : USUAL_WARMUP;
    int warmup = optimizer.integer("warmup", usual);
    double beta1 = optimizer.real("beta1", 0.9);
    double beta2 = optimizer.real("beta2", 0.99);
    double epsilon = optimizer.real("epsilon", 1e-8);
    double decay = optimizer.real("decay", 0.1);
    double clip = optimizer.real("clip", 1);
    return optimizer.made(
        () ->
            new OptimizerConfig(
                rate, minimumRate, schedule, warmup, beta1, beta2, epsilon, decay, clip));
  }

  private CheckpointConfig checkpoint() {
    Fields checkpoint = root.object("checkpoint").only("every", "keep");
    int every = checkpoint.integer("every", 250);
    int keep = checkpoint.integer("keep", 2);
    return checkpoint.made(() -> new CheckpointConfig(every, keep));
  }

  private SampleConfig sample() {
    Fields sample = root.object("sample").only("every", "prompt", "tokens", "temperature");
    int every = sample.integer("every", 250);
    String prompt = sample.text("prompt", "\n");
    int tokens = sample.integer("tokens", 200);
    double temperature = sample.real("temperature", 0.8);
    return sample.made(() -> new SampleConfig(every, prompt, tokens, temperature));
  }
}
