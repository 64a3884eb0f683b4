package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The knob that plants a slowdown; it is read once, so each setting has a JVM of its own. */
class BurnTest {
  @Test
  void theScopeThatIsNamedSpendsSoMuchMore() throws Exception {
    double[] burnt = selfPerInner("-Dridgeline.burn=outer:50");
    assertThat(burnt[0]).isBetween(0.5, 0.6);
    assertThat(burnt[1]).isLessThan(0.1);
  }

  /** Self time of the scopes outer and other, over that of the busy scope inside each. */
  private static double[] selfPerInner(String flag) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                flag,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    String[] words = said.strip().split(" ");
    return new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[1])};
  }

  /** Does the same in two scopes. */
  static final class Program {
    private static final Scope INNER = Scope.of("inner");

    public static void main(String[] args) {
      Profiler.start(Options.of(Level.TIME));
      for (int i = 0; i < 30; i++) {
        for (String name : new String[] {"outer", "other"}) {
          try (var _ = Profiler.scope(Scope.of(name))) {
            try (var _ = Profiler.scope(INNER)) {
              long until = System.nanoTime() + 2_000_000;
              while (System.nanoTime() < until) Thread.onSpinWait();
            }
          }
        }
      }
      CallTree tree = Profiler.stop().tree();
      System.out.println(ratio(tree, "outer") + " " + ratio(tree, "other"));
    }

    private static double ratio(CallTree tree, String name) {
      CallTree.Node node = tree.find(name);
      return (double) node.selfNanos() / tree.find(name, "inner").totalNanos();
    }
  }
}
