package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.workload.AsProfile;
import dev.ridgeline.cli.workload.SlowPath;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code generate} command. */
@Command(
    name = "generate",
    description = {
      "Continues a prompt, token by token, and prints the text as it comes.",
      "Give the prompt with -p, as arguments, with --prompt-file, or on standard input."
    },
    footer = {
      "  ridgeline generate -p 'Once upon a time'",
      "  ridgeline generate -m model.gguf -p 'Once upon a time' -n 100 --temperature 0 --quiet",
      "  ridgeline generate 'The dog' --seed 7 --stop . --stop '!'",
      "  cat story.txt | ridgeline generate -n 0          until the context is full",
      "  ridgeline generate --prompts prompts.txt --batch 16 -o texts.jsonl",
      "  ridgeline generate -m synth:medium --inferences 3 --prompt-tokens 32 --tokens 50",
      "  ridgeline generate -p 'Once upon a time' --profile    the same as: profile generate …",
      "",
      "Ctrl-C ends the text there, with exit code 130; SIGTERM with 143.",
    })
public final class GenerateCommand extends Subcommand {
  private static final Setting<TextFormat> FORMAT =
      Setting.choice(
          "--format FORMAT",
          TextFormat.class,
          "text or jsonl (default: text; jsonl with --prompts, since texts may hold line ends).");
  private static final Setting<Path> OUTPUT =
      Setting.path("-o, --output FILE", "File to write (default: standard output).");
  private static final Setting<String> PROFILE = AsProfile.setting("generate");
  private static final Setting<Boolean> QUIET =
      Setting.flag("--quiet", "Print the text and nothing else.");

  public GenerateCommand() {
    super(
        Settings.with(Prompts.SETTINGS, GenerateSettings.ALL.toArray(Setting[]::new)),
        FORMAT,
        OUTPUT,
        OutputFile.FORCE,
        PROFILE,
        QUIET);
  }

  @Parameters(arity = "0..*", paramLabel = "WORD", description = "The prompt.")
  private List<String> words = List.of();

  /** Turns false when somebody wants no more. */
  private final AtomicBoolean wanted = new AtomicBoolean(true);

  /** Whatever may be wrong with the question is found before anything is printed. */
  @Override
  public Integer call() throws IOException {
    AsProfile.refuse(settings, PROFILE);
    Prompts prompts = Prompts.of(settings, words);
    Sampling sampling = GenerateSettings.sampling(settings, prompts.tokens());
    GeneratorOptions options = GenerateSettings.options(settings, prompts.together());
    boolean many = prompts instanceof Prompts.Many;
    TextFormat asked = settings.read(FORMAT);
    TextFormat format = asked != null ? asked : many ? TextFormat.JSONL : TextFormat.TEXT;
    Path output = settings.read(OUTPUT);
    OutputFile.refuseToReplace(settings.read(Prompts.PROMPT_FILE), output);
    OutputFile.refuseToReplace(settings.read(Prompts.PROMPTS), output);
    OutputFile.refuseToReplace(output, settings);
    boolean quiet = settings.read(QUIET);
    try (Progress progress = progress(quiet)) {
      String name = settings.read(GenerateSettings.MODEL);
      Path model = ModelOptions.file(settings, name, Use.GENERATE, progress);
      OutputFile.refuseToReplace(model, output);
      progress.step("loading " + model.getFileName());
      try (Generator generator = Generator.open(model, options)) {
        int[][] ids = prompts.encode(generator, sampling.seed());
        generator.check(ids, prompts::place);
        Rehearsal.endsHere();
        SlowPath.warn(progress);
        try (Interrupt interrupt = Interrupt.does(() -> cancel(generator))) {
          Job job = new Job(generator, prompts, ids, sampling, format);
          // What is drawn while a text comes in would stand in the middle of it.
          if (output == null && !many) progress.close();
          if (output == null) job.write(System.out);
          else WholeFile.write(output, job::write);
          progress.close();
          if (prompts instanceof Prompts.Many given && given.skipped() > 0) {
            progress.note("skipped " + Quantity.many(given.skipped(), "empty prompt"));
          }
          if (progress.seen()) err().println(job.line());
          return interrupt.code();
        }
      }
    }
  }

  private boolean cancel(Generator generator) {
    if (!wanted.getAndSet(false)) return false;
    generator.cancel();
    return true;
  }

  /** Prompts on their way through the generator. */
  private final class Job {
    private final Generator generator;
    private final Prompts prompts;
    private final int[][] ids;
    private final Sampling sampling;
    private final TextFormat format;
    private final Speed speed = new Speed();
    private final List<Completion> completions = new ArrayList<>();

    Job(Generator generator, Prompts prompts, int[][] ids, Sampling sampling, TextFormat format) {
      this.generator = generator;
      this.prompts = prompts;
      this.ids = ids;
      this.sampling = sampling;
      this.format = format;
      generator.observe(speed);
    }

    void write(OutputStream out) throws IOException {
      Written written = new Written(out, format, this::prompt, this::index, this::more);
      try {
        if (prompts instanceof Prompts.Many) {
          call(ids, sampling, written);
        } else {
          for (int i = 0; i < ids.length && wanted.get(); i++) {
            call(new int[][] {ids[i]}, sampling.withSeed(sampling.seed() + i), written);
          }
        }
      } catch (UncheckedIOException e) {
        throw e.getCause(); // to whom the file's name is known
      }
      out.flush();
    }

    private void call(int[][] some, Sampling how, Written written) {
      speed.begin();
      completions.addAll(generator.generate(some, how, written));
      written.called(some.length);
    }

    private String prompt(int index) {
      return switch (prompts) {
        case Prompts.One one -> one.text();
        case Prompts.Many many -> many.texts().get(index);
        case Prompts.MadeUp _, Prompts.Growing _, Prompts.Bundled _ ->
            generator.tokenizer().decode(ids[index]);
      };
    }

    private long index(int prompt) {
      return prompts instanceof Prompts.Many many ? many.indices().get(prompt) : prompt;
    }

    private boolean more() {
      return wanted.get();
    }

    private long tokens() {
      return completions.stream().mapToLong(completion -> completion.ids().length).sum();
    }

    String line() {
      return speed.line(tokens(), completions.stream().map(Completion::finish).toList());
    }
  }
}
