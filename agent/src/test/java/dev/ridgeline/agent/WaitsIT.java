package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import acme.engine.Shop;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.report.Finding;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Five things are wrong in one program, and the first five findings are these. */
@Isolated("who else computes or is compiled takes part in what the findings say")
class WaitsIT {
  @TempDir Path folder;

  @Test
  void theAgentNamesWhatIsWrong() throws Exception {
    String scopes = "Shop.open,Shop.post,Shop.audit,Shop.nap,Shop.receive,Shop.price,Shop.parcel";
    var ended = new Target(folder).run("formats=none,scope=" + scopes, "acme.engine.Shop");
    assertThat(ended.code()).as(ended.err()).isZero();
    namesWhatIsWrong(ended.run().profile());
  }

  @Test
  void soDoesTheLibrary() throws Exception {
    // Findings about allocation wait until the JIT is done, which takes long on a busy machine.
    try (ExecutorService staff = Executors.newFixedThreadPool(8)) {
      Shop.run(staff);
    }
    Profiler.start(Options.of(Level.ALLOCATION));
    Profile profile;
    try (ExecutorService staff = Profiler.executor(Executors.newFixedThreadPool(8))) {
      Shop.run(staff);
    } finally {
      profile = Profiler.stop();
    }
    namesWhatIsWrong(profile);
  }

  private static void namesWhatIsWrong(Profile profile) {
    CallTree tree = profile.tree();
    List<Finding> findings = Findings.of(profile, tree);
    Map<String, String> firstFive =
        findings.stream()
            .filter(finding -> finding.severity() == Severity.OPPORTUNITY)
            .limit(5)
            .collect(Collectors.toMap(Finding::rule, Finding::what, (one, other) -> one + other));
    assertThat(firstFive.keySet())
        .as("%s", findings)
        .containsExactlyInAnyOrder(
            "lock-contention", "sleep", "io", "dominant-scope", "allocation-in-hot-scope");
    assertThat(firstFive.get("lock-contention"))
        .containsPattern(
            "Shop\\.post waits .* the lock of acme\\.engine\\.Shop\\$Ledger, held by .*Shop\\.audit"
                + " on thread ");
    assertThat(firstFive.get("sleep")).contains("Shop.nap sleeps ");
    assertThat(firstFive.get("io")).contains("Shop.receive waits ");
    assertThat(firstFive.get("dominant-scope")).contains("Shop.price takes ");
    assertThat(firstFive.get("allocation-in-hot-scope")).contains("Shop.parcel allocates ");
    // The longest of all, and it does nothing but wait for its tasks.
    CallTree.Node open = tree.find("Shop.open");
    assertThat(open.waiting().parkedNanos()).isPositive();
    assertThat(tree.top(2, CallTree.Node::correctedRunningNanos)).doesNotContain(open);
    assertThat(tree.top(1, CallTree.Node::correctedRunningNanos).getFirst().name())
        .isEqualTo("Shop.price");
  }
}
