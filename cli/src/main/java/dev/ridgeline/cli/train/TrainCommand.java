package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Again;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The {@code train} command. */
@Command(
    name = "train",
    description = {
      "Trains the language model that a configuration describes, and writes it as GGUF.",
      "Its folder has the model, a journal of every step, checkpoints and report.html."
    },
    footer = {
      "  ridgeline train --list-configs                          some to begin with",
      "  ridgeline train -c examples/shakespeare.json            into trained/shakespeare",
      "  ridgeline train -c mine.json --validate                 what would be trained, and where"
          + " not",
      "  ridgeline train -c mine.json --resume                   from the newest checkpoint",
      "  ridgeline train -c mine.json --json | tee log.jsonl     every step for a program",
      "  ridgeline train -c mine.json --profile                  the same as: profile train …",
      "",
      "Ctrl-C keeps a checkpoint and ends with exit code 130; SIGTERM with 143.",
      "Exit code 1: the loss is NaN.",
    })
public final class TrainCommand extends Subcommand {
  private static final Setting<Boolean> VALIDATE =
      Setting.flag(
          "--validate", "Check configuration and data, print what would be trained, and stop.");
  private static final Setting<Boolean> LIST =
      Setting.flag("--list-configs", "List example configurations.");
  private static final Setting<Boolean> JSON =
      Setting.flag("--json", "Print the journal as it is written, as JSON lines.");
  private static final Setting<Boolean> QUIET =
      Setting.flag("--quiet", "Print only where the model is.");
  private static final Setting<String> PROFILE = AsProfile.setting("train");

  /** What a model goes on from when its configuration does not say. */
  private static final String PROMPT = "The";

  /** Tokens that the next command asks for, where the context has room for them. */
  private static final int MOST_GENERATED = 200;

  public TrainCommand() {
    super(
        TrainSettings.CONFIG,
        TrainSettings.OUT,
        TrainSettings.RESUME,
        VALIDATE,
        LIST,
        ModelOptions.DEVICE,
        ModelOptions.WORKERS,
        TrainSettings.STRATEGY,
        JSON,
        QUIET,
        PROFILE);
  }

  /** Turns true when somebody wants no more. */
  private final AtomicBoolean stop = new AtomicBoolean();

  @Override
  public Integer call() {
    AsProfile.refuse(settings, PROFILE);
    boolean json = settings.read(JSON);
    if (settings.read(LIST)) return list();
    TrainConfig config = TrainSettings.config(settings);
    DeviceChoice device = ModelOptions.device(settings);
    Path folder = TrainSettings.folder(settings, config);
    Order order = new Order(config, folder, device, settings.read(TrainSettings.RESUME));
    if (settings.read(VALIDATE)) return validate(order, json);
    boolean quiet = settings.read(QUIET);
    Progress notices = Progress.notices(err());
    if (!quiet) SlowPath.warn(notices);
    if (json) {
      try (JournalEcho echo = new JournalEcho(out(), notices)) {
        return train(order, echo, notices, _ -> {});
      }
    }
    try (Progress live = quiet ? notices : progress()) {
      live.draw("reading " + String.join(", ", config.data().files()));
      TrainingPrinter printer = new TrainingPrinter(out(), live, device.workers(), quiet);
      return train(
          order,
          printer,
          live,
          training -> {
            if (quiet) out().println(training.model());
            else for (String line : ending(training)) printer.print(line);
          });
    }
  }

  /** What is to be trained, where it is kept, and what computes. */
  private record Order(TrainConfig config, Path folder, DeviceChoice choice, boolean resume) {
    Training on(Device device, Watcher watcher) {
      return new Training(config, folder, device, resume, watcher);
    }
  }

  /**
   * Trains, and answers the exit code.
   *
   * @param ending what is said of a training that has all its steps
   */
  private int train(Order order, Watcher watcher, Progress progress, Consumer<Training> ending) {
    int workers = order.choice().workers();
    var live =
        new LivePage(watcher, it -> TrainingPage.write(it, workers, config()), System::nanoTime);
    try (Device device = order.choice().open();
        Training training = order.on(device, live);
        Interrupt interrupt = Interrupt.does(() -> !stop.getAndSet(true))) {
      Rehearsal.endsHere();
      boolean done;
      try {
        done = training.run(stop::get);
      } catch (TrainException e) {
        if (training.finite()) throw e;
        progress.note(e.getMessage());
        if (training.step() > 0) live.write(training);
        return ExitCode.BAD_ANSWER;
      }
      live.write(training);
      if (done) ending.accept(training);
      else progress.note(toContinue(training, order.folder()));
      return interrupt.code();
    }
  }

  private Path config() {
    return settings.read(TrainSettings.CONFIG);
  }

  private String toContinue(Training training, Path folder) {
    String out =
        settings.given(TrainSettings.OUT) ? " --out " + Again.quoted(folder.toString()) : "";
    return "stopped after step %,d of %,d, which is kept; to continue: ridgeline train -c %s%s --resume"
        .formatted(training.step(), training.steps(), Again.quoted(config().toString()), out);
  }

  private static List<String> ending(Training training) {
    String evaluation =
        Double.isNaN(training.evaluation())
            ? ""
            : " · evaluation " + Quantity.fixed(training.evaluation(), 3);
    String told = training.config().sample().prompt().strip();
    String prompt = told.isEmpty() ? PROMPT : told;
    int room = training.net().context() - prompt.getBytes(StandardCharsets.UTF_8).length;
    String loss = Quantity.fixed(training.loss(), 3) + evaluation;
    List<String> lines = new ArrayList<>();
    lines.add(
        training.wasDone()
            ? "all %s were done before · loss %s"
                .formatted(Quantity.many(training.steps(), "step"), loss)
            : "%s in %s · loss %s · %s tokens/s"
                .formatted(
                    Quantity.many(training.steps(), "step"),
                    Quantity.left(training.seconds()),
                    loss,
                    Quantity.number(training.overall())));
    double nothing = Math.log(training.net().vocabulary());
    if (training.loss() > nothing) {
      lines.add(
          "  note    a model that knows nothing has a loss of %s: try a smaller rate, or clip"
              .formatted(Quantity.fixed(nothing, 3)));
    }
    lines.add("  model   " + training.model());
    lines.add("  report  " + training.page());
    lines.add(
        "  next    ridgeline generate -m %s -p %s -n %d"
            .formatted(
                Again.quoted(training.model().toString()),
                Again.quoted(prompt),
                Math.clamp(room, 1, MOST_GENERATED)));
    return lines;
  }

  private int validate(Order order, boolean json) {
    Map<String, Long> account = new TreeMap<>();
    int workers = order.choice().workers();
    Watcher quiet = new TrainingPrinter(out(), Progress.notices(err()), workers, true);
    try (Device planned = order.choice().plan(account);
        Training training = order.on(planned, quiet)) {
      Prospect prospect = new Prospect(training, workers, account);
      if (json) {
        out().println(JSON_WRITER.writeValueAsString(object(prospect)));
      } else {
        out().println("%s: can be trained".formatted(config()));
        prospect.facts().forEach((name, text) -> out().println("  %-9s %s".formatted(name, text)));
      }
      out().flush();
      return 0;
    }
  }

  private static final JsonMapper JSON_WRITER = JsonMapper.builder().build();

  private static ObjectNode object(Prospect it) {
    Training training = it.training();
    ObjectNode object = JSON_WRITER.createObjectNode();
    object.put("name", training.config().name());
    object.put("architecture", training.net().shape().word());
    object.put("parameters", training.net().parameters().count());
    object.put("vocabulary", training.net().vocabulary());
    object.put("trainingTokens", training.corpus().training());
    object.put("evaluationTokens", training.corpus().evaluation());
    object.put("windows", training.batches().windows());
    object.put("steps", training.steps());
    object.put("tokensPerStep", training.plan().tokens());
    object.put("strategy", Prospect.strategy(training.plan()));
    object.put("shards", training.plan().shards());
    object.put("workers", it.workers());
    ObjectNode memory = object.putObject("memory");
    it.memory().forEach(memory::put);
    return object;
  }

  private int list() {
    List<Path> files = Examples.files();
    if (files.isEmpty()) throw new Problem("no folder 'examples' next to the launcher");
    for (Path file : files) out().println("%s  %s".formatted(file, Examples.words(file)));
    out().flush();
    return 0;
  }
}
