package dev.ridgeline.cli.tune;

import dev.ridgeline.cli.ab.Program;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.tune.Block;
import dev.ridgeline.report.run.Interruption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Measures blocks in fresh processes of this program, one at a time: compilers and the places that
 * memory comes to lie at differ from one to the next.
 *
 * @param modelOrNull whose texts are embedded
 */
public record BlockProcess(Program program, Path modelOrNull) {
  /** Runs one to its end. */
  public Block.Result run(Block block) {
    List<String> words = new ArrayList<>(List.of("tune-block"));
    if (modelOrNull != null) words.addAll(List.of("--model", modelOrNull.toString()));
    words.addAll(block.words());
    String about = block.tunable().word();
    try {
      Process process = new ProcessBuilder(program.command(words)).start();
      try (var _ = Interruption.tidies(process::destroyForcibly)) {
        process.getOutputStream().close();
        // Both are read at once: a full pipe would stop the process.
        var err = CompletableFuture.supplyAsync(() -> text(process, true));
        String out = text(process, false);
        int code = process.waitFor();
        if (code == 0) return Block.Result.parse(out);
        String said = err.join().strip().lines().reduce("", (_, last) -> last);
        throw new Problem("measuring %s ended with code %d: %s".formatted(about, code, said));
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new Problem("measuring %s: %s".formatted(about, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem("measuring %s was interrupted".formatted(about), e);
    }
  }

  private static String text(Process process, boolean err) {
    try (var stream = err ? process.getErrorStream() : process.getInputStream()) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return "";
    }
  }
}
