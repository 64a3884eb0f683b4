package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The knob that plants a slowdown; it is read once, so each setting has a JVM of its own. */
class BurnTest {
  private static final long WORK = 2_000_000;

  @Test
  void theScopeThatIsNamedSpendsSoMuchMore() throws Exception {
    double[] shortest = shortest("-Dridgeline.burn=outer:50");
    assertThat(shortest[0]).isGreaterThanOrEqualTo(1.5 * WORK);
    assertThat(shortest[1]).isBetween((double) WORK, 1.5 * WORK);
  }

  /** The shortest call of the scopes outer and other: a busy machine makes calls longer only. */
  private static double[] shortest(String flag) throws Exception {
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
              long until = System.nanoTime() + WORK;
              while (System.nanoTime() < until) Thread.onSpinWait();
            }
          }
        }
      }
      CallTree tree = Profiler.stop().tree();
      System.out.println(tree.find("outer").minNanos() + " " + tree.find("other").minNanos());
    }
  }
}
