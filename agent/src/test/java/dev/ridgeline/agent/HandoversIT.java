package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Work given to other threads stands under the scope that gave it. */
@Execution(CONCURRENT)
class HandoversIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "submit, 20, 20",
    "execute, 20, 20",
    "sameTask, 20, 20",
    "invokeAll, 3, 3",
    "schedule, 5, 5",
    "forkJoinSubmit, 10, 10",
    "completable, 50, 40",
    "completablePool, 20, 20",
    "virtualExecutor, 50, 50",
    "virtualThread, 10, 10",
    "platformThread, 10, 10",
  })
  void everyTaskStandsUnderTheScopeThatGaveIt(String way, long tasks, long leaves)
      throws Exception {
    CallTree tree = run(way);
    Node task = tree.find("Tasks." + way, "task");
    assertThat(task).as(tree.nodes().toString()).isNotNull();
    assertThat(task.isTask()).isTrue();
    // A future is complete just before its task is: the program may end between the two.
    assertThat(task.calls() + task.open()).isEqualTo(tasks);
    assertThat(tree.find("Tasks." + way, "task", "Tasks.leaf").calls()).isEqualTo(leaves);
    assertThat(tree.root().children()).hasSize(1);
  }

  @Test
  void aStreamIsWorkedOffUnderItsScope() throws Exception {
    CallTree tree = run("stream");
    assertThat(tree.root().children()).extracting(Node::name).containsExactly("Tasks.stream");
    assertThat(leaves(tree)).isEqualTo(1_000);
  }

  @Test
  void forksOfForksStandInOnePlace() throws Exception {
    CallTree tree = run("forkJoin");
    assertThat(tree.root().children()).extracting(Node::name).containsExactly("Tasks.forkJoin");
    // The first task is given to the pool, the seven forks follow it there.
    assertThat(tree.find("Tasks.forkJoin", "task").calls()).isEqualTo(8);
    assertThat(leaves(tree)).isEqualTo(8);
    assertThat(tree.nodes()).allMatch(node -> node.depth() <= 3);
  }

  @Test
  void aChainOfTasksIsNotADeepTree() throws Exception {
    CallTree tree =
        new Target(folder)
            .run("scope=Tasks.step,formats=none", "acme.engine.Tasks", "chain")
            .tree();
    long steps = tree.nodes().stream().filter(n -> !n.isTask()).mapToLong(Node::calls).sum();
    assertThat(steps).isEqualTo(1_001);
    assertThat(tree.nodes()).allMatch(node -> node.depth() <= 4);
  }

  @Test
  void handoversCanBeSwitchedOff() throws Exception {
    CallTree tree =
        new Target(folder)
            .run(
                "scope=Tasks.leaf,Tasks.submit,handovers=off,formats=none",
                "acme.engine.Tasks",
                "submit")
            .tree();
    assertThat(tree.find("Tasks.leaf").calls()).isEqualTo(20);
    assertThat(tree.nodes()).noneMatch(Node::isTask);
  }

  private CallTree run(String way) throws Exception {
    var ended =
        new Target(folder)
            .run(
                "formats=none,scope=Tasks.leaf,Tasks." + way,
                "acme.engine.Tasks",
                way.equals("sameTask") ? "same" : way);
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.err()).doesNotContain("could not be woven");
    return ended.tree();
  }

  private static long leaves(CallTree tree) {
    return tree.nodes().stream()
        .filter(node -> node.name().equals("Tasks.leaf"))
        .mapToLong(Node::calls)
        .sum();
  }
}
