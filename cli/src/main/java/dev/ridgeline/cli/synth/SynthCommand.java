package dev.ridgeline.cli.synth;

import dev.ridgeline.cli.imports.GgufOutput;
import dev.ridgeline.cli.line.OutputFile;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Subcommand;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code synth} command. */
@Command(
    name = "synth",
    description = {
      "Makes a valid model of a real shape with random weights and a usable vocabulary, to study"
          + " speed without weights. The same shape, type and seed give the same bytes."
    },
    footer = {
      "  ridgeline synth minilm-l6 minilm.gguf                  the shape of all-MiniLM-L6-v2",
      "  ridgeline synth embeddinggemma-300m gemma.gguf --type f32 --seed 7",
      "  ridgeline synth tinyllama-1.1b llama.gguf --type q4_0  a decoder of 22 layers",
    })
public final class SynthCommand extends Subcommand {
  private static final Setting<String> TYPE = GgufOutput.type("q8_0");
  private static final Setting<Long> SEED =
      Setting.number("--seed N", SynthModel.SEED, "Where the random numbers begin.");

  public SynthCommand() {
    super(TYPE, SEED, OutputFile.FORCE);
  }

  @Parameters(
      index = "0",
      paramLabel = "SHAPE",
      completionCandidates = Shapes.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String shape;

  @Parameters(index = "1", paramLabel = "OUT", description = "The .gguf to write.")
  private Path out;

  /** The shapes there are, for the help. */
  static final class Shapes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SynthShape.words().iterator();
    }
  }

  @Override
  public Integer call() throws IOException {
    SynthShape known = SynthShape.of(shape);
    if (known == null) {
      throw new Problem(
          "no shape '%s'; there are %s".formatted(shape, String.join(", ", SynthShape.words())));
    }
    GgufOutput output = GgufOutput.of(out, settings, TYPE);
    long seed = settings.read(SEED);
    Rehearsal.endsHere();
    output.write(
        err(), steps -> SynthModel.write(known, output.type(), seed, output.path(), steps));
    String told = output.told(known.word(), known.architecture().word());
    out().println(told);
    return 0;
  }
}
