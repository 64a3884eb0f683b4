package dev.ridgeline.cli.tune;

import dev.ridgeline.cli.embed.Corpus;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.lab.tune.Block;
import dev.ridgeline.lab.tune.ProductBlock;
import dev.ridgeline.lab.tune.TextBlock;
import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.EmbedderOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One block of {@code tune}, which starts it in a process of its own. */
@Command(name = "tune-block", hidden = true, description = "Measures a block of `tune`.")
public final class TuneBlockCommand implements Callable<Integer> {
  private static final Setting<Path> MODEL =
      Setting.path("--model FILE", "Whose texts are embedded.");

  @Mixin private final Settings settings = new Settings(MODEL);

  @Parameters(arity = "1..*", paramLabel = "WORD", description = "What a block is made of.")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Block block;
    try {
      block = Block.parse(words);
    } catch (IllegalArgumentException e) {
      throw new Problem("tune-block: " + e.getMessage(), e);
    }
    spec.commandLine().getOut().print(result(block).text());
    return 0;
  }

  private Block.Result result(Block block) {
    if (!block.tunable().ofTexts()) return ProductBlock.run(block);
    Path model = settings.read(MODEL);
    if (model == null) throw new Problem("tune-block: texts of which model?");
    try (var embedder = Embedder.open(model, EmbedderOptions.DEFAULT.withTruncation())) {
      return TextBlock.run(block, embedder, Corpus.texts(TextBlock.MOST_TEXTS));
    }
  }
}
