package dev.ridgeline.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the agent costs a busy program with 100,000 scopes a second: fresh processes with and
 * without it, in pairs, each pair in the other order. Arguments: pairs (10), seconds each (2),
 * level (time).
 */
public final class AgentCost {
  private AgentCost() {}

  public static void main(String[] args) throws Exception {
    int pairs = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    String seconds = args.length > 1 ? args[1] : "2";
    String level = args.length > 2 ? args[2] : "time";
    Path runs = Files.createTempDirectory("agent-cost");
    String agent =
        "-javaagent:%s=scope=SteadyWork.unit,level=%s,quiet=on,formats=none,budget=0,runs=%s"
            .formatted(Peers.agentJar(), level, runs);
    double[] ratios = new double[pairs];
    double[] plain = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      double with = pair % 2 == 0 ? units(seconds, agent) : Double.NaN;
      plain[pair] = units(seconds);
      if (pair % 2 != 0) with = units(seconds, agent);
      ratios[pair] = plain[pair] / with - 1;
      System.out.printf(
          "pair %2d: %,.0f units/s plain, %,.0f with the agent, cost %+.2f %%%n",
          pair + 1, plain[pair], with, 100 * ratios[pair]);
    }
    Arrays.sort(ratios);
    System.out.printf(
        "level %s: %,.0f scopes/s cost %+.2f %% (median of %d pairs, %+.2f to %+.2f)%n",
        level,
        median(plain),
        100 * median(ratios),
        pairs,
        100 * ratios[0],
        100 * ratios[pairs - 1]);
    Peers.delete(runs);
  }

  private static double units(String seconds, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Peers.java()));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", Peers.benchJar(), SteadyWork.class.getName(), seconds));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IllegalStateException("the program failed: " + said);
    return Double.parseDouble(said.strip());
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
