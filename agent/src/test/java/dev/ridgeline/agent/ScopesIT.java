package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Methods of a real program as scopes: what was called, how often, and inside of what. */
@Execution(CONCURRENT)
class ScopesIT {
  @TempDir Path folder;

  @Test
  void everyCallIsCountedWhereItHappened() throws Exception {
    CallTree tree =
        target().run("formats=none,scope=acme.engine.Engine", "acme.engine.Engine").tree();

    assertThat(calls(tree, "Engine.main", "Engine.layer")).isEqualTo(3);
    assertThat(calls(tree, "Engine.main", "Engine.layer", "Engine.attention")).isEqualTo(5);
    assertThat(calls(tree, "Engine.main", "Engine.layer", "Engine.feedForward")).isEqualTo(1);
    assertThat(calls(tree, "Engine.main", "Engine.layer", "Engine.feedForward", "Engine.attention"))
        .isEqualTo(1);
    assertThat(calls(tree, "Engine.main", "Engine.switching")).isEqualTo(2);
    assertThat(calls(tree, "Engine.main", "Engine.locked")).isEqualTo(1);
  }

  @Test
  void recursionIsAsDeepAsItWas() throws Exception {
    CallTree tree =
        target()
            .run("formats=none,scope=Engine.recursion,!Engine.annotated", "acme.engine.Engine")
            .tree();
    assertThat(tree.nodes()).hasSize(6).allMatch(node -> node.calls() == 1);
  }

  @Test
  void aCallThatThrowsIsOverWhenItThrows() throws Exception {
    var profile =
        target().run("formats=none,scope=acme.engine.**", "acme.engine.Engine").run().profile();
    CallTree tree = profile.tree();
    assertThat(calls(tree, "Engine.main", "Engine.failing")).isEqualTo(4);
    assertThat(calls(tree, "Engine.main", "Engine.failing", "Engine.attention")).isEqualTo(4);
    assertThat(calls(tree, "Engine.main", "Engine.nested")).isEqualTo(4);
    assertThat(calls(tree, "Engine.main", "Engine.nested", "Engine.spin")).isEqualTo(8);
    assertThat(profile.slips().unclosed()).isZero();
    assertThat(profile.slips().misplacedEnds()).isZero();
  }

  @Test
  void aConstructorIsAScopeBehindItsCallOfAnother() throws Exception {
    CallTree tree =
        target().run("formats=none,scope=Engine.new,Engine.spin", "acme.engine.Engine").tree();
    // new Engine(int) calls new Engine(int, boolean) before it is open itself.
    assertThat(calls(tree, "Engine.new(int)")).isEqualTo(5);
    assertThat(calls(tree, "Engine.new(int, boolean)")).isEqualTo(5);
  }

  @Test
  void overloadsAreToldApart() throws Exception {
    CallTree tree =
        target().run("formats=none,scope=Engine.overloaded", "acme.engine.Engine").tree();
    assertThat(calls(tree, "Engine.overloaded(int)")).isEqualTo(1);
    assertThat(calls(tree, "Engine.overloaded(String)")).isEqualTo(2);
  }

  @Test
  void oneOverloadCanBeMeant() throws Exception {
    CallTree tree =
        target()
            .run(
                "formats=none,scope=Engine.overloaded(String),!Engine.annotated",
                "acme.engine.Engine")
            .tree();
    assertThat(tree.nodes()).hasSize(1);
    assertThat(calls(tree, "Engine.overloaded")).isEqualTo(2);
  }

  @Test
  void anAnnotatedMethodNeedsNoPattern() throws Exception {
    CallTree tree = target().run("", "acme.engine.Engine").tree();
    assertThat(tree.nodes()).hasSize(1);
    assertThat(calls(tree, "a name of its own")).isEqualTo(2);
  }

  @Test
  void gettersStaticInitialisersAndLambdasAreNoScopesUnlessNamed() throws Exception {
    CallTree tree = target().run("formats=none,scope=acme.**", "acme.engine.Engine").tree();
    assertThat(tree.nodes()).extracting(Node::name).doesNotContain("Engine.size");
    assertThat(tree.nodes()).noneMatch(node -> node.name().contains("lambda"));
    assertThat(tree.nodes()).noneMatch(node -> node.name().contains("clinit"));
    // What the initialiser calls stands beside main.
    assertThat(calls(tree, "Engine.spin")).isEqualTo(3);
  }

  @Test
  void aGetterAndALambdaThatAreNamedAreScopes() throws Exception {
    CallTree tree =
        target().run("formats=none,scope=Engine.size,Engine#lambda$*", "acme.engine.Engine").tree();
    assertThat(calls(tree, "Engine.size")).isEqualTo(1);
    assertThat(tree.nodes()).anyMatch(node -> node.name().contains("lambda$main$0"));
  }

  @Test
  void whatIsExcludedIsLeftOut() throws Exception {
    CallTree tree =
        target()
            .run(
                "formats=none,scope=Engine.*,!Engine.spin,exclude=Engine.annotated",
                "acme.engine.Engine")
            .tree();
    assertThat(tree.nodes())
        .extracting(Node::name)
        .contains("Engine.attention")
        .doesNotContain("Engine.spin", "a name of its own");
  }

  @Test
  void aScopeThatIsTooFineIsSwitchedOffAndSaid() throws Exception {
    var ended =
        target().run("scope=Engine.spin,budget=1000,level=time", "acme.engine.Waiting", "fine");
    var row =
        ended.tree().nodes().stream().filter(n -> n.name().startsWith("Engine.spin")).toList();
    assertThat(row).extracting(Node::name).containsOnly("Engine.spin (switched off)");
    long calls = row.stream().mapToLong(Node::calls).sum();
    assertThat(ended.err())
        .contains(
            "Engine.spin is called too often and was switched off after %,d calls".formatted(calls),
            "'!Engine.spin'");
  }

  @Test
  void aRecursionThatIsCalledTooOftenIsSwitchedOffAndItsTreeStaysWhole() throws Exception {
    var ended =
        target().run("scope=acme.engine.Waiting,level=time", "acme.engine.Waiting", "recursive");
    assertThat(ended.out()).endsWith("sum 13749260\n");
    var profile = ended.run().profile();
    var row = profile.tree().nodes().stream().filter(n -> n.name().contains("fibonacci")).toList();
    assertThat(row).extracting(Node::name).containsOnly("Waiting.fibonacci (switched off)");
    long calls = row.stream().mapToLong(Node::calls).sum();
    assertThat(calls).isBetween(1_000_000L, 70 * 635_621L - 1);
    assertThat(row).allMatch(n -> n.open() == 0);
    assertThat(profile.slips().unclosed()).isZero();
    assertThat(profile.slips().misplacedEnds()).isZero();
    assertThat(profile.tree().nodes().stream().mapToLong(Node::selfNanos).sum())
        .isEqualTo(profile.threadNanos());
    assertThat(ended.err()).contains("Waiting.fibonacci (switched off) (27 deep)");
  }

  private Target target() {
    return new Target(folder);
  }

  private static long calls(CallTree tree, String... path) {
    Node node = tree.find(path);
    assertThat(node).as(String.join(" › ", path) + " in " + tree.nodes()).isNotNull();
    return node.calls();
  }
}
