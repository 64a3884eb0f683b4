package dev.ridgeline.cli.roofline;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.lab.roofline.CeilingsStore.Measured;
import dev.ridgeline.lab.roofline.ModelWork;
import dev.ridgeline.lab.roofline.Phase;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.lab.roofline.Sheet;
import dev.ridgeline.profiler.file.OneLine;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** The {@code roofline} command. */
@Command(
    name = "roofline",
    description = {
      "Shows what this machine can do, measured, and what that allows.",
      "Ceilings are measured in a few seconds and kept for a week."
    },
    footer = {
      "  ridgeline roofline                           this machine's ceilings",
      "  ridgeline roofline --measure                 the same, measured again; higher values"
          + " replace kept ones",
      "  ridgeline roofline --replace                 measured again, whatever it was before",
      "  ridgeline roofline --sheet f32=294,dram=51   with the peaks of a data sheet",
      "  ridgeline roofline --op 'q4_k 2560x2560 x 1'  the minimum time of a product, and ours",
      "  ridgeline roofline -m stories15m             how fast a model can be at best",
    })
public final class RooflineCommand extends Subcommand {
  private static final Setting<Boolean> MEASURE =
      Setting.flag(
          "--measure", "Measure again, though what is kept is fresh; higher ceilings are kept.");
  private static final Setting<Boolean> REPLACE =
      Setting.flag("--replace", "Measure again, and forget what is kept, higher or not.");
  private static final Setting<String> SHEET =
      Setting.text(
          "--sheet NAME=N,…",
          "Peaks of all cores by the data sheet, in GFLOP/s, GOP/s and GB/s, kept from now on:"
              + " f32, int8, bf16, l1, l2, l3, dram; 0 forgets one.");
  private static final Setting<String> OP =
      Setting.text(
          "--op OP",
          "One product, as 'TYPE OUTPUTSxINPUTS x ROWS': its minimum time, and our measured time.");
  private static final Setting<String> MODEL = ModelOptions.model(null);
  private static final Setting<Integer> TOKENS =
      Setting.number("--tokens N", 128, "Tokens of a text or a prompt, with -m.");
  private static final Setting<Integer> TEXTS =
      Setting.number("--texts N", 32, "Texts embedded together, with -m.");
  private static final Setting<Integer> CONTEXT =
      Setting.number("--context N", 128, "Tokens that a decoded token sees, with -m.");
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  private static final int MOST_TEXTS = 1 << 20;

  public RooflineCommand() {
    super(
        MEASURE,
        REPLACE,
        SHEET,
        OP,
        MODEL,
        TOKENS,
        TEXTS,
        CONTEXT,
        JSON,
        ModelOptions.CACHE,
        ModelOptions.HUB);
  }

  @Override
  public Integer call() {
    boolean json = settings.read(JSON);
    // What is wrong with the question is said before anything is measured.
    Product product = parsed(OP, Product::parse);
    Sheet sheet = parsed(SHEET, Sheet::parse);
    String model = settings.read(MODEL);
    if (product != null && model != null) throw new Problem("--op and -m: one at a time");
    RooflineAnswer answer;
    try (Progress progress = progress()) {
      answer =
          model == null ? ofProduct(product, sheet, progress) : ofModel(model, sheet, progress);
    }
    if (json) out().println(RooflineJson.of(answer));
    else new RooflineText(out()).print(answer);
    tellOfUnread();
    return 0;
  }

  private RooflineAnswer ofProduct(Product product, Sheet sheet, Progress progress) {
    Measured measured = ceilings(sheet, progress);
    Ceilings roof = measured.roof();
    if (product == null) return new RooflineAnswer(roof, measured.now(), null, null);
    Ceilings ours = CeilingsProbe.ofTier(roof);
    return new RooflineAnswer(ours, roof, TimedProduct.of(product, ours, progress), null);
  }

  private RooflineAnswer ofModel(String model, Sheet sheet, Progress progress) {
    try (Gguf file = Gguf.open(ModelOptions.file(settings, model, progress))) {
      ModelWork work = ModelWork.of(file);
      int tokens = tokens(TOKENS, work);
      int many = work.embeds() ? settings.positive(TEXTS, MOST_TEXTS) : tokens(CONTEXT, work);
      Ceilings roof = CeilingsProbe.ofTier(ceilings(sheet, progress).roof());
      List<Phase> phases =
          work.embeds()
              ? Phase.embedding(work, many, tokens, roof)
              : Phase.generation(work, tokens, many, roof);
      var light = new ModelLight(model, work.shape().word(), work.layers(), phases);
      return new RooflineAnswer(roof, roof, null, light);
    }
  }

  /** A number of tokens that the model knows; what nobody chose fits itself to it. */
  private int tokens(Setting<Integer> setting, ModelWork work) {
    int tokens = settings.positive(setting);
    if (!settings.given(setting)) return Math.min(tokens, work.context());
    if (tokens > work.context()) {
      throw new Problem(
          "%s %d: the model knows %d".formatted(setting.name(), tokens, work.context()));
    }
    return tokens;
  }

  private Measured ceilings(Sheet sheet, Progress progress) {
    var store = CeilingsStore.in(ModelOptions.cache(settings).folder());
    Measured measured = measured(store, progress);
    if (sheet == null) return measured;
    Ceilings roof = measured.roof();
    String missing = sheet.missingIn(roof);
    if (missing != null) {
      throw new Problem("--sheet %s: this machine has no such ceiling".formatted(missing));
    }
    Ceilings beside = sheet.on(roof);
    store.write(beside);
    return new Measured(beside, measured.now());
  }

  private Measured measured(CeilingsStore store, Progress progress) {
    boolean replace = settings.read(REPLACE);
    Rehearsal.endsHere();
    if (settings.read(MEASURE) || replace) return store.measure(progress, replace);
    Ceilings kept = store.here(progress);
    return new Measured(kept, kept);
  }

  private <T> T parsed(Setting<String> setting, Function<String, T> parser) {
    String text = settings.read(setting);
    if (text == null) return null;
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new Problem(
          "%s '%s': %s".formatted(setting.name(), OneLine.of(text), e.getMessage()), e);
    }
  }
}
