package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class CollapsedTest {
  @Test
  void linesReadBackAreTheTreesSelfTimes() throws IOException {
    for (long seed = 0; seed < 50; seed++) {
      CallTree tree = Play.random(seed, Level.TIME).tree();
      Map<List<String>, Long> wanted = new HashMap<>();
      for (Node node : tree.nodes()) {
        if (node.selfNanos() > 0) wanted.merge(node.path(), node.selfNanos(), Long::sum);
      }
      Map<List<String>, Long> read = new HashMap<>();
      for (String line : write(tree).split("\n")) {
        int space = line.lastIndexOf(' ');
        List<String> stack =
            Arrays.stream(line.substring(0, space).split(";")).map(CollapsedTest::decode).toList();
        read.merge(stack, Long.parseLong(line.substring(space + 1)), Long::sum);
      }
      assertThat(read).as("seed %d", seed).isEqualTo(wanted);
    }
  }

  @Test
  void bytesAddUpToWhatWasAllocated() throws IOException {
    for (long seed = 0; seed < 50; seed++) {
      CallTree tree = Play.random(seed, Level.ALLOCATION).tree();
      long wanted = 0;
      for (Node node : tree.nodes()) wanted += Math.max(0, node.selfAllocatedBytes());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Collapsed.write(tree, Measure.ALLOCATION, out);
      long read =
          out.toString(StandardCharsets.UTF_8)
              .lines()
              .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
      assertThat(read).as("seed %d", seed).isEqualTo(wanted).isPositive();
    }
  }

  @Test
  void aLineIsReadable() throws IOException {
    String text = write(Play.random(1, Level.TIME).tree());
    assertThat(text.lines()).allMatch(line -> line.matches("[^;].*[^;] [0-9]+"));
    assertThat(text).contains("50 % done %2541").contains("a%3Bb").contains("line%0Abreak%0D%09");
  }

  private static String decode(String name) {
    // Only what is encoded: a percent sign before anything else is itself.
    String escaped = name.replace("+", "%2B").replaceAll("%(?![0-9A-Fa-f]{2})", "%25");
    return URLDecoder.decode(escaped, StandardCharsets.UTF_8);
  }

  private static String write(CallTree tree) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Collapsed.write(tree, Measure.TIME, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
