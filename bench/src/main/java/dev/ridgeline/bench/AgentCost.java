package dev.ridgeline.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the agent costs a busy program with 100,000 scopes a second. Arguments: pairs (10), seconds
 * each (2), level (time).
 */
public final class AgentCost {
  private AgentCost() {}

  public static void main(String[] args) throws Exception {
    int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    String seconds = args.length > 1 ? args[1] : "2";
    String level = args.length > 2 ? args[2] : "time";
    Path runs = Files.createTempDirectory("agent-cost");
    new AgentPairs(
            List.of(SteadyWork.class.getName(), seconds),
            "scope=SteadyWork.unit,formats=none,budget=0,level=" + level,
            "scopes/s")
        .run(pairs, runs);
    Peers.delete(runs);
  }
}
