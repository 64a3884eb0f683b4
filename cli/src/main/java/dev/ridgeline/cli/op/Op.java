package dev.ridgeline.cli.op;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload.Amount;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.cli.workload.WorkloadKind;
import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.OperationTrial;
import dev.ridgeline.lab.bound.Part;
import java.util.List;

/** The door of this package: the workload that the options ask for, and those options. */
public final class Op {
  /** The metric that tells parts apart. */
  public static final String TIME = OpWorkload.TIME;

  public static final Setting<String> SHAPE =
      Setting.text(
          "--shape SIZES",
          "ROWSxINPUTSxOUTPUTS of matmul (default: 1x4096x16384), ROWSxCOLUMNS of others"
              + " (default: 4096x4096).");
  public static final Setting<String> TYPE =
      Setting.text("--type TYPE", "Of matmul's weights: f32, f16, q4_0 … (default: q8_0).");
  public static final Setting<From> FROM =
      Setting.choice(
          "--from WHERE",
          From.class,
          From.AUTO,
          "Where data lies: memory, as in a model larger than all caches; caches, as it is done"
              + " again and again; auto asks the size.");
  private static final Setting<Part> PART =
      Setting.choice(
          "--part PART",
          Part.class,
          Part.FULL,
          "What of it is done: read its bytes alone, compute on what stays in the nearest cache,"
              + " or full.");

  /** Where data lies. */
  public enum From {
    AUTO,
    MEMORY,
    CACHES
  }

  /** How long is measured when nobody says it. */
  private static final double SECONDS = 2;

  public static final WorkloadKind KIND =
      new WorkloadKind(
          "op",
          "OPERATION",
          "Runs one operation alone.",
          List.of(
              SHAPE, TYPE, FROM, PART, ModelOptions.WORKERS, RunOptions.FOR, RunOptions.WARM_UP),
          RunOptions.FOR.name(),
          List.of(),
          Op::from);

  private Op() {}

  private static Workload from(Settings settings, List<String> words, Progress progress) {
    Operation operation = operation(settings, words);
    Part part = settings.read(PART);
    int workers = ModelOptions.workers(settings);
    double seconds = RunOptions.seconds(settings);
    boolean beyond = beyond(settings, operation, workers);
    progress.step("making " + operation);
    Pace pace = Pace.unbounded(System::nanoTime);
    double measured = seconds > 0 ? seconds : SECONDS;
    Amount amount = new Amount(1, 1, measured, RunOptions.longWarmUp(settings), pace);
    return new OpWorkload(new OpWorkload.Plan(operation, part, beyond, workers, amount));
  }

  /** The operation that words and options name; what is wrong with them is a {@link Problem}. */
  public static Operation operation(Settings settings, List<String> words) {
    if (words.size() > 1) throw new Problem("unexpected argument '" + words.get(1) + "'");
    String kind = words.isEmpty() ? "matmul" : words.getFirst();
    String shape = settings.read(SHAPE);
    String type = settings.read(TYPE);
    try {
      boolean multiplies = Operation.Kind.of(kind).multiplies();
      if (shape == null) shape = multiplies ? "1x4096x16384" : "4096x4096";
      if (type == null) type = multiplies ? "q8_0" : "f32";
      return Operation.parse(kind, shape, type);
    } catch (IllegalArgumentException e) {
      throw new Problem("op %s: %s".formatted(kind, e.getMessage()), e);
    }
  }

  /** Whether data comes from memory. */
  public static boolean beyond(Settings settings, Operation operation, int workers) {
    return switch (settings.read(FROM)) {
      case AUTO -> OperationTrial.beyondCaches(operation, workers);
      case MEMORY -> true;
      case CACHES -> false;
    };
  }
}
