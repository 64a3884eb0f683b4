package dev.ridgeline.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that prints its own rate, in fresh processes with and without the agent: in pairs, each
 * pair in the other order than the one before.
 *
 * @param program options of its JVM, its main class and its arguments
 * @param agentOptions what the agent is asked
 * @param unit of the rate
 */
record AgentPairs(List<String> program, String agentOptions, String unit) {

  /** Runs the pairs and prints what the agent costs. */
  void run(int pairs, Path runs) throws IOException, InterruptedException {
    String agent =
        "-javaagent:%s=%s,quiet=on,runs=%s".formatted(Peers.agentJar(), agentOptions, runs);
    double[] plain = new double[pairs];
    double[] cost = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      double first = pair % 2 == 0 ? rate(agent) : rate(null);
      double second = pair % 2 == 0 ? rate(null) : rate(agent);
      plain[pair] = pair % 2 == 0 ? second : first;
      double with = pair % 2 == 0 ? first : second;
      cost[pair] = plain[pair] / with - 1;
      System.out.printf(
          "pair %2d: %,.1f %s plain, %,.1f with the agent, cost %+.2f %%%n",
          pair + 1, plain[pair], unit, with, 100 * cost[pair]);
    }
    Arrays.sort(cost);
    System.out.printf(
        "at %,.0f %s the agent costs %+.2f %% (median of %d pairs, %+.2f to %+.2f)%n",
        median(plain), unit, 100 * median(cost), pairs, 100 * cost[0], 100 * cost[pairs - 1]);
  }

  private double rate(String agent) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Peers.java()));
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
    if (agent != null) command.add(agent);
    command.addAll(List.of("-cp", Peers.benchJar()));
    command.addAll(program);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IllegalStateException(command + " failed: " + said);
    return Double.parseDouble(said.strip());
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
