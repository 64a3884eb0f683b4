package dev.ridgeline.bench;

import dev.ridgeline.bench.jlama.JlamaProgram;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An engine that knows nothing of us, Jlama, profiled from outside: its tree, and what that costs
 * it. Arguments: pairs (5), seconds each (5).
 */
public final class ForeignEngine {
  /** What a reader of the engine thinks in, and no smaller. */
  private static final String SCOPES =
      "AbstractModel.forward,AbstractModel.getLogits,TransformerBlock.forward,"
          + "CausalSelfAttention.forward,MLPBlock.forward,RMSNorm.forward,"
          + "PanamaTensorOperations.batchDotProduct";

  private ForeignEngine() {}

  public static void main(String[] args) throws Exception {
    int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 5;
    String seconds = args.length > 1 ? args[1] : "5";
    Path folder = Files.createTempDirectory("foreign-engine");
    new AgentPairs(
            List.of(
                "--add-modules",
                "jdk.incubator.vector",
                JlamaProgram.class.getName(),
                folder.resolve("model").toString(),
                seconds),
            "scope=" + SCOPES + ",level=time,formats=none",
            "tokens/s")
        .run(pairs, folder.resolve("runs"));
    RunDirectory run = new Runs(folder.resolve("runs")).find("last");
    System.out.println();
    for (CallTree.Node node : run.profile().tree().top(8, CallTree.Node::correctedSelfNanos)) {
      System.out.printf(
          "%8.0f ms self  %,9d calls  %s%n",
          node.correctedSelfNanos() / 1e6, node.calls(), String.join(" › ", node.path()));
    }
    Peers.delete(folder);
  }
}
