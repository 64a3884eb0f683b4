package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.embed.Corpus;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.lab.answer.QuantizationStudy;
import dev.ridgeline.lab.answer.QuantizedLayer;
import dev.ridgeline.lab.answer.Rounded;
import dev.ridgeline.lab.roofline.ModelWork;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.tune.WeightShape;
import dev.ridgeline.model.generate.Perplexity;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.StoreException;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufSummary;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code experiment quantization}: what smaller weights win, and what they cost. */
@Command(
    name = "quantization",
    description =
        "One layer and one model in several types: speed, bytes, what dequantizing costs, and the"
            + " error: cosine to f32 of a model that embeds, perplexity of one that writes.",
    sortOptions = false,
    footer = {
      "",
      "Types that are not there are made into the cache first. A K-quant needs rows that are",
      "multiples of 256: a matrix that has none gets the type that llama.cpp gives it.",
      "",
      "Examples:",
      "  ridgeline experiment quantization",
      "  ridgeline experiment quantization -m stories15m --types f32,f16,q8_0,q4_0",
      "  ridgeline experiment quantization -m model-f16.gguf --against f16 --budget 10m",
      "  ridgeline experiment quantization --shape 2560x2560 --types q4_k,q8_0 --against f16",
    })
final class QuantizationCommand implements Callable<Integer> {
  private static final String PRESET = "all-minilm-l6-v2";

  /** The shape of it, for machines that cannot fetch it. */
  private static final String STAND_IN = "synth:minilm-l6";

  private static final Setting<String> MODEL = ModelOptions.model(PRESET);
  private static final Setting<String> SHAPE =
      Setting.text("--shape SIZES", "INPUTSxOUTPUTS of one matrix instead of a model's layer.");
  private static final Setting<String> TYPES =
      Setting.text("--types LIST", "f32,f16,bf16,q8_0,q4_0,q4_k", "Which types.");
  private static final Setting<String> AGAINST =
      Setting.text("--against TYPE", "f32", "The type that costs are counted from: f32, f16.");
  private static final Setting<Integer> ROWS =
      Setting.number(
          "--rows N", "Rows that meet the layer (default: 64 of a model that embeds, else 1).");
  private static final Setting<Integer> TEXTS =
      Setting.number("--texts N", 64, "Bundled texts that the error is measured on.");
  private static final Setting<Path> INPUT =
      Setting.path("--input FILE", "A text of your own for the perplexity.");
  private static final Setting<Integer> WINDOW =
      Setting.number(
          "--window N", 256, "Tokens that perplexity looks at together; the stride is half.");
  private static final Setting<String> BUDGET = Laboratory.budget("5m");

  /** Texts of a trial: it is short, so that there are many. */
  private static final int TRIAL_TEXTS = 32;

  private static final int TRIAL_TOKENS = 64;
  private static final int ENCODER_ROWS = 64;

  private static final Pattern SIZES = Pattern.compile("([1-9]\\d{0,5})[x×]([1-9]\\d{0,5})");

  @Mixin
  private final Settings settings =
      new Settings(
          Laboratory.settings(
              BUDGET,
              MODEL,
              SHAPE,
              TYPES,
              AGAINST,
              ROWS,
              TEXTS,
              INPUT,
              WINDOW,
              ModelOptions.WORKERS,
              ModelOptions.CACHE,
              ModelOptions.HUB));

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    List<TensorType> types = types();
    TensorType against = against(types);
    int workers = ModelOptions.workers(settings);
    String sizes = settings.read(SHAPE);
    if (sizes != null) return alone(sizes, types, against, workers);
    int texts = settings.positive(TEXTS, 1024);
    int window = settings.positive(WINDOW);
    String text = text();
    QuantizationStudy study;
    QuantizedLayer layer;
    try (var progress = Progress.of(spec.commandLine().getErr())) {
      Variants variants = variants(progress);
      Path exact = variants.file(TensorType.F32);
      boolean embeds;
      WeightShape largest;
      try (Gguf file = Gguf.open(exact)) {
        embeds = ModelWork.of(file).embeds();
        largest = largest(file);
      }
      if (embeds && settings.given(INPUT)) {
        throw new Problem(
            "--input: perplexity is for models that write, %s embeds".formatted(variants.source()));
      }
      int rows = rows(embeds);
      layer = new QuantizedLayer(against, rows, largest.inputs(), largest.outputs(), Op.TIME);
      study = new QuantizationStudy(name(variants.source()), embeds, against, layer, window);
      if (variants.rounded() != null)
        study.warn(
            "the model is quantized already (%s): errors count from there"
                .formatted(variants.rounded().word()));
      if (!variants.source().equals(ModelName.of(settings.read(MODEL))))
        study.warn("the model could not be had: random weights of its shape instead");
      List<float[]> vectors = embeds ? Rounded.vectors(exact, Corpus.texts(texts), workers) : null;
      for (TensorType type : types) {
        progress.step("looking at " + type.word());
        Path file = variants.file(type);
        QuantizationStudy.Model model = model(file, type);
        if (model.ofType() == 0 && type.quantized()) {
          study.add(type, null);
        } else if (embeds) {
          List<float[]> rounded = Rounded.vectors(file, Corpus.texts(texts), workers);
          study.add(type, model.with(Rounded.closeness(vectors, rounded)));
        } else {
          String of = text == null ? String.join(" ", Corpus.texts(texts)) : text;
          Perplexity perplexity = Rounded.perplexity(file, of, window, workers);
          study.add(type, model.with(perplexity));
        }
        if (layer.allows(type)) {
          try (Gguf opened = Gguf.open(exact)) {
            layer.add(type, Rounded.weights(largestTensor(opened), type));
          }
        }
      }
    }
    Plan plan =
        new Plan(
            "quantization",
            study.title(),
            attempts(study, layer, workers),
            study.reference(),
            null,
            Aim.EACH);
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, sweep -> study.conclude(sweep.outcome()));
  }

  /** One product, without a model around it. */
  private int alone(String sizes, List<TensorType> types, TensorType against, int workers) {
    for (Setting<?> each : List.of(MODEL, TEXTS, INPUT, WINDOW)) {
      if (settings.given(each))
        throw new Problem(each.name() + " is about models: no --shape then");
    }
    Matcher both = SIZES.matcher(sizes);
    if (!both.matches()) throw new Problem("--shape %s: say INPUTSxOUTPUTS".formatted(sizes));
    int inputs = Integer.parseInt(both.group(1));
    int outputs = Integer.parseInt(both.group(2));
    QuantizedLayer layer = new QuantizedLayer(against, rows(false), inputs, outputs, Op.TIME);
    for (TensorType type : types) {
      if (layer.allows(type)) layer.add(type, Rounded.drawn(inputs, type));
      else if (settings.given(TYPES) || type == against) throw odd(sizes, type);
    }
    List<Attempt> attempts = attempts(layer, workers);
    if (attempts.size() < 2) throw odd(sizes, types.getLast());
    String words = types.stream().map(TensorType::word).collect(Collectors.joining(", "));
    String title = "one product, %s, in %s".formatted(layer.shape(), words);
    Plan plan = new Plan("quantization", title, attempts, layer.arm(against), Op.TIME, Aim.EACH);
    return new Laboratory(settings, spec, BUDGET)
        .run(plan, it -> layer.conclude(it.outcome(), types));
  }

  private static Problem odd(String sizes, TensorType type) {
    return new Problem(
        "--shape %s: %s needs a multiple of %d inputs"
            .formatted(sizes, type.word(), type.blockSize()));
  }

  private List<TensorType> types() {
    try {
      List<TensorType> types = new ArrayList<>(Rounded.types(settings.read(TYPES)));
      TensorType against = Rounded.type(settings.read(AGAINST));
      if (!types.contains(against)) types.addFirst(against);
      return types;
    } catch (IllegalArgumentException e) {
      throw new Problem("--types or --against: " + e.getMessage(), e);
    }
  }

  private TensorType against(List<TensorType> types) {
    TensorType against = Rounded.type(settings.read(AGAINST));
    // The arm that decides comes first.
    types.remove(against);
    types.addFirst(against);
    if (types.size() < 2) throw new Problem("--types: one type is no comparison");
    return against;
  }

  private String text() {
    Path input = settings.read(INPUT);
    if (input == null) return null;
    try {
      return Files.readString(input);
    } catch (IOException e) {
      throw FileException.of(input, e);
    }
  }

  private Variants variants(Progress progress) {
    ModelName name = ModelName.of(settings.read(MODEL));
    Variants asked = new Variants(settings, name, progress);
    try {
      asked.file(TensorType.F32);
      return asked;
    } catch (StoreException e) {
      if (settings.given(MODEL)) throw e;
      return new Variants(settings, ModelName.of(STAND_IN), progress);
    }
  }

  /** Without the type, which is what differs. */
  private static String name(ModelName source) {
    return switch (source) {
      case ModelName.Known it -> it.model().name();
      case ModelName.Synthetic it -> ModelName.SYNTH + it.shape();
      case ModelName.OnDisk it -> it.path().getFileName().toString();
      case ModelName.OnHub it -> it.file();
    };
  }

  private int rows(boolean embeds) {
    Integer rows = settings.read(ROWS);
    if (rows == null) return embeds ? ENCODER_ROWS : 1;
    if (rows < 1) throw new Problem("--rows " + rows + ": at least 1");
    return rows;
  }

  private static GgufTensor largestTensor(Gguf file) {
    WeightShape shape = largest(file);
    return file.tensors().stream()
        .filter(tensor -> tensor.name().startsWith("blk.0."))
        .filter(tensor -> tensor.rows() == shape.outputs() && tensor.columns() == shape.inputs())
        .findFirst()
        .orElseThrow();
  }

  /** The largest matrix of a layer. */
  private static WeightShape largest(Gguf file) {
    return WeightShape.of(file).stream()
        .max(Comparator.comparingLong(shape -> (long) shape.outputs() * shape.inputs()))
        .orElseThrow(() -> new Problem(file.path() + ": no layer has a matrix"));
  }

  private static QuantizationStudy.Model model(Path path, TensorType type) {
    try (Gguf file = Gguf.open(path)) {
      GgufSummary summary = GgufSummary.of(file);
      long own =
          summary.types().stream()
              .filter(total -> total.type() == type)
              .mapToLong(GgufSummary.TypeTotal::numbers)
              .sum();
      return new QuantizationStudy.Model(
          path, summary.tensorBytes(), (double) own / Math.max(1, summary.numbers()), null, null);
    }
  }

  private static List<Attempt> attempts(
      QuantizationStudy study, QuantizedLayer layer, int workers) {
    List<Attempt> attempts = new ArrayList<>();
    List<String> length =
        study.embeds()
            ? List.of("embed", "--texts", "" + TRIAL_TEXTS)
            : List.of("generate", "--tokens", "" + TRIAL_TOKENS);
    study
        .models()
        .forEach(
            (type, model) -> {
              List<String> start = new ArrayList<>(length);
              start.addAll(List.of("-m", model.file().toString(), "--workers", "" + workers));
              var parameters = Map.of("what", "model", "type", type.word());
              attempts.add(Attempt.of(study.modelArm(type), parameters, start));
            });
    attempts.addAll(attempts(layer, workers));
    return attempts;
  }

  private static List<Attempt> attempts(QuantizedLayer layer, int workers) {
    List<Attempt> attempts = new ArrayList<>();
    for (TensorType type : layer.types()) {
      List<String> start = new ArrayList<>(List.of("op", "matmul", "--shape", layer.shape()));
      start.addAll(List.of("--type", type.word(), "--workers", "" + workers));
      var parameters = Map.of("what", "layer", "type", type.word());
      attempts.add(Attempt.of(layer.arm(type), parameters, start));
    }
    return attempts;
  }
}
