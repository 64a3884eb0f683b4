package dev.ridgeline.cli.chat;

import dev.ridgeline.cli.generate.GenerateSettings;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.texts.StandardInput;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.model.generate.ChatTemplate;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.store.Catalog;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.report.Quantity;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** The {@code chat} command. */
@Command(
    name = "chat",
    description = {
      "Talks with a model that was made for it. A line is a turn; the model remembers what was"
          + " said.",
      "/clear starts over, /system TEXT too and tells the model who it is (--system does so from"
          + " the start), /exit or Ctrl-D ends."
    },
    footer = {
      "  ridgeline chat -m smollm2-360m-instruct            a small model of the hub, 386 MB",
      "  ridgeline chat -m model.gguf                       one that was made for conversations",
      "  ridgeline chat -m synth:medium --template chatml   none at hand? random weights: nonsense",
      "  ridgeline chat -m model.gguf --system 'You answer in one sentence.' --temperature 0.6",
      "  ridgeline chat -m model.gguf --template zephyr     where the file does not say which",
      "  printf 'Hello!\\nWho are you?\\n' | ridgeline chat -m model.gguf",
      "",
      "Ctrl-C ends the answer under way, a second one the conversation (exit code 130).",
    })
public final class ChatCommand extends Subcommand {
  private static final Setting<String> SYSTEM =
      Setting.text("--system TEXT", "Instructions given to the model before anything else.");
  private static final Setting<String> TEMPLATE =
      Setting.text(
          "--template NAME",
          "How turns are written: chatml, llama2, llama3, mistral, gemma or zephyr (default: what"
              + " the model's file says).");

  private static final Setting<String> MODEL =
      Setting.text(
          "-m, --model MODEL",
          "A model that was made for conversations: a .gguf file, or a name of `ridgeline"
              + " models`, with :TYPE if not q8_0.");
  private static final Setting<Integer> TOKENS =
      Setting.number(
          "-n, --tokens N", 0, "Answer with at most N, 0 for as many as the context holds.");

  public ChatCommand() {
    super(GenerateSettings.SHARED, MODEL, SYSTEM, TEMPLATE, TOKENS);
  }

  @Override
  public Integer call() {
    Sampling sampling = GenerateSettings.drawing(settings, settings.read(TOKENS));
    GeneratorOptions options = GenerateSettings.options(settings, 1);
    String system = settings.read(SYSTEM);
    String named = settings.read(TEMPLATE);
    ChatTemplate given = named == null ? null : ChatTemplate.named(named);
    String name = settings.read(MODEL);
    if (name == null) {
      throw new Problem(
          "no model: %s (%s to fetch, once), or -m FILE.gguf of one that was made for conversations"
              .formatted(
                  ModelOptions.TO_CHAT, Quantity.bytes(Catalog.preset(Use.CHAT).origin().bytes())));
    }
    ModelName model = ModelName.of(name);
    if (given == null && model.use() != null && model.use() != Use.CHAT) throw mute(model, "");
    Generator open;
    try (Progress progress = progress()) {
      Path file = ModelOptions.file(settings, name, Use.GENERATE, progress);
      progress.step("loading " + file.getFileName());
      open = Generator.open(file, options);
      SlowPath.warn(progress);
    }
    try (Generator generator = open) {
      ChatTemplate template = given == null ? template(generator, model) : given;
      Rehearsal.endsHere();
      Conversation conversation =
          new Conversation(
              generator,
              template,
              sampling,
              system == null ? "" : system,
              StandardInput.isTyped(),
              err());
      return conversation.hold();
    }
  }

  private static ChatTemplate template(Generator generator, ModelName model) {
    try {
      return generator.template();
    } catch (ModelException e) {
      throw mute(model, ": " + e.getMessage());
    }
  }

  private static Problem mute(ModelName model, String why) {
    String from =
        model instanceof ModelName.Known known
            ? " (%s)".formatted(known.model().origin().coordinates())
            : "";
    return new Problem(
        "%s%s cannot chat%s; this can: %s".formatted(model, from, why, ModelOptions.TO_CHAT));
  }
}
