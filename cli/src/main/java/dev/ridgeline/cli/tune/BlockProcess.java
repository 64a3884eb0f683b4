package dev.ridgeline.cli.tune;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.process.Worktrees;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.tune.Block;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures blocks in fresh processes of this program, one at a time: compilers and the places that
 * memory comes to lie at differ from one to the next.
 *
 * @param modelOrNull whose texts are embedded
 */
public record BlockProcess(Child child, Program program, Path modelOrNull) {
  /** Runs one to its end. */
  public Block.Result run(Block block) {
    List<String> words = new ArrayList<>(List.of("tune-block"));
    if (modelOrNull != null) words.addAll(List.of("--model", modelOrNull.toString()));
    words.addAll(block.words());
    String about = block.tunable().word();
    Path folder = null;
    try {
      folder = Files.createTempDirectory("ridgeline-tune-");
      Child.Ended ended = child.run(program.command(words), folder.resolve("output"));
      if (ended.code() == 0) return Block.Result.parse(ended.out());
      throw new Problem(
          "measuring %s ended with code %d: %s"
              .formatted(about, ended.code(), Worktrees.last(ended.err())));
    } catch (IOException | IllegalArgumentException e) {
      throw new Problem("measuring %s: %s".formatted(about, e.getMessage()), e);
    } catch (Stopped e) {
      throw new Problem("measuring %s was interrupted".formatted(about), e);
    } finally {
      if (folder != null) Runs.delete(folder);
    }
  }
}
