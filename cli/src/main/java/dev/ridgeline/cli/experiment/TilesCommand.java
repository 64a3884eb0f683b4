package dev.ridgeline.cli.experiment;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.op.Op;
import dev.ridgeline.cli.tune.BlockProcess;
import dev.ridgeline.cli.tune.TuneQuestion;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.sweep.Study;
import dev.ridgeline.lab.tune.Decision;
import dev.ridgeline.lab.tune.TilesStudy;
import dev.ridgeline.lab.tune.Tuner;
import dev.ridgeline.lab.tune.WeightShape;
import dev.ridgeline.tensor.tune.Tunable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code experiment tiles}: every size of tiles and blocks, as {@code tune} measures them. */
@Command(
    name = "tiles",
    aliases = "blocks",
    description =
        "What each size of tiles and blocks takes for a shape or for a model's shapes: what"
            + " `ridgeline tune` measures, with every value that was tried.",
    sortOptions = false,
    footer = {
      "",
      "Swept are rows of a tile (by type), rows and inputs of a block, rows held as bytes, rows of",
      "a unit of work, and for models the thresholds of --strategy auto. How far kernels unroll",
      "and how far ahead they prefetch is fixed.",
      "",
      "Examples:",
      "  ridgeline experiment tiles",
      "  ridgeline experiment tiles --shape 384x1536 --type f32 --only f32.rows",
      "  ridgeline experiment blocks -m all-minilm-l6-v2 --budget 5m --keep",
    })
final class TilesCommand implements Callable<Integer> {
  private static final Setting<String> MODEL = ModelOptions.model(null);
  private static final Setting<String> SHAPE =
      Setting.text("--shape SIZES", "INPUTSxOUTPUTS of one matrix instead.");
  private static final String TUNABLES =
      Arrays.stream(Tunable.values()).map(Tunable::word).collect(Collectors.joining(", "));
  private static final Setting<String> ONLY =
      Setting.text("--only NAMES", "Only these: " + TUNABLES + ".");
  private static final Setting<Boolean> KEEP =
      Setting.flag("--keep", "Keep what is faster for sure, as `ridgeline tune` does.");
  private static final Setting<String> BUDGET = Laboratory.budget("2m");

  @Mixin
  private final Settings settings =
      new Settings(
          Laboratory.settingsWithoutThreshold(
              BUDGET, MODEL, SHAPE, Op.TYPE, ONLY, KEEP, ModelOptions.CACHE, ModelOptions.HUB));

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    var laboratory = new Laboratory(settings, spec, BUDGET);
    double seconds = laboratory.budget();
    long seed = laboratory.measuring().seed();
    boolean keep = settings.read(KEEP);
    Path cache = ModelOptions.cache(settings).folder();
    return laboratory.keep(
        "tiles",
        (record, started, progress) ->
            study(laboratory, seconds, seed, keep ? cache : null, record, started, progress));
  }

  private Study study(
      Laboratory laboratory,
      double seconds,
      long seed,
      Path keptOrNull,
      Path record,
      Instant started,
      Progress progress) {
    TuneQuestion question = question(progress);
    TilesStudy study;
    List<Decision> decisions;
    try (var child = new Child()) {
      var blocks = new BlockProcess(child, Program.here(), question.modelOrNull());
      study = new TilesStudy(blocks::run, record, System::nanoTime);
      decisions =
          new Tuner(study::measure, progress, seed)
              .tune(question.tunables(), question.shapes(), seconds);
    }
    String kept = "";
    if (keptOrNull != null) {
      var table = Tuner.table(decisions, question.of(), Tuner.kept(keptOrNull));
      kept = "%s, in %s".formatted(table.title(), Tuner.write(keptOrNull, table));
    }
    return study.of(
        question.of(), started, laboratory.measuring().typed(), decisions, kept, seconds, seed);
  }

  private TuneQuestion question(Progress progress) {
    String model = settings.read(MODEL);
    String shape = settings.read(SHAPE);
    if (shape == null && settings.given(Op.TYPE)) throw new Problem("--type belongs to --shape");
    if (shape != null && model != null) throw new Problem("--shape or -m MODEL, not both");
    TuneQuestion all =
        shape == null
            ? TuneQuestion.of(settings, model, progress)
            : ofShape(shape, settings.read(Op.TYPE));
    String only = settings.read(ONLY);
    List<Tunable> some = only == null ? all.tunables() : only(only, all);
    if (some.isEmpty()) throw new Problem(all.of() + ": nothing to sweep here");
    return all.about(some);
  }

  private static TuneQuestion ofShape(String sizes, String type) {
    String[] both = sizes.split("[x×]");
    String word = type == null ? "q8_0" : type.toLowerCase(Locale.ROOT);
    try {
      if (both.length != 2) throw new IllegalArgumentException("say INPUTSxOUTPUTS");
      String one = "%s %sx%s".formatted(word, both[1].strip(), both[0].strip());
      return TuneQuestion.of(
          "%s %s".formatted(word, sizes), List.of(WeightShape.parse("1 of " + one)));
    } catch (IllegalArgumentException e) {
      throw new Problem("--shape %s: %s".formatted(sizes, e.getMessage()), e);
    }
  }

  private static List<Tunable> only(String words, TuneQuestion all) {
    List<Tunable> some =
        Arrays.stream(words.split(",")).map(String::strip).map(TilesCommand::named).toList();
    for (Tunable each : some) {
      if (!all.tunables().contains(each)) {
        throw new Problem(
            "--only %s: makes no difference for %s here".formatted(each.word(), all.of()));
      }
    }
    return some;
  }

  private static Tunable named(String word) {
    Tunable tunable = Tunable.named(word);
    if (tunable == null) throw new Problem("--only %s: there is %s".formatted(word, TUNABLES));
    return tunable;
  }
}
