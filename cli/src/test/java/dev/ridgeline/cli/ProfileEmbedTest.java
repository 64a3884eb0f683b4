package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload {@code embed}, and which workload a bare {@code profile} chooses. */
class ProfileEmbedTest {
  @TempDir private Path folder;
  private Path model;

  @BeforeEach
  void makeTheModel() {
    model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of("query", "ask: "));
  }

  private static final String COLD =
      "measurement began before speed was steady: there were too few rounds to tell"
          + " (--warm-up 60 waits longer)";

  /** Of a model so small nothing is measured: it need not be warm. */
  private Answer cold(Object... words) {
    List<Object> args = new ArrayList<>(Arrays.asList(words));
    args.addAll(List.of("--warm-up", 0));
    return ridgeline(args.toArray());
  }

  private Answer ridgeline(Object... words) {
    List<Object> args = new ArrayList<>(Arrays.asList(words));
    args.addAll(List.of("--runs", folder.resolve("runs")));
    return Answer.of(args.toArray());
  }

  private RunDirectory last() {
    return new Runs(folder.resolve("runs")).find("last");
  }

  @Test
  void textsOfTheUsersOwnAreProfiled() throws IOException {
    Answer answer =
        cold("profile", "embed", "a", "b c", "-m", model, "--iterations", 2, "--workers", 1);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out()).startsWith(model + " · 2 texts · 7 tokens · packed, 1 worker\n");
    Run run = last().run();
    assertThat(run.workload()).containsEntry("texts", "2, given").containsEntry("iterations", "2");
    assertThat(run.metrics().getFirst().samples()).hasSize(2);
    CallTree tree = last().profile().tree();
    assertThat(tree.find("embed").calls()).isEqualTo(2);
    assertThat(tree.find("load")).as("measured is what was warmed up").isNull();
    assertThat(run.metrics()).extracting(Metric::name).contains("load", "load, repack");
    assertThat(run.conditions()).containsEntry(Run.COLD, COLD);
    assertThat(tree.find("embed", "layer 1", "attention", "qkv").calls()).isEqualTo(2);
    // As LayerScopesTest has it of the architectures that are made up.
    assertThat(tree.find("embed", "layer 1", "attention", "heads").calls()).isEqualTo(2);
    assertThat(tree.find("embed", "layer 1", "attention", "output").calls()).isEqualTo(2);
    assertThat(tree.find("embed", "layer 1", "ffn", "up").calls()).isEqualTo(2);
    assertThat(tree.find("embed", "layer 1", "ffn", "down").calls()).isEqualTo(2);
    Path file =
        Files.writeString(folder.resolve("texts.jsonl"), "{\"t\":\"a\"}\n{\"t\":\"b c\"}\n");
    cold("profile", "embed", "--input", file, "--field", "t", "-m", model);
    assertThat(last().run().outputDigest()).isEqualTo(run.outputDigest());
  }

  @Test
  void theBundledTextsAreTheDefaultAndStandardInputIsNotRead() {
    Answer answer = cold("profile", "embed", "-m", model, "--texts", 5, "--truncate");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(last().run().workload()).containsEntry("texts", "5, bundled");
  }

  @Test
  void embedWithProfileIsProfileEmbed() {
    Answer profile =
        cold("profile", "embed", "a", "b", "-m", model, "--level", "time", "--task", "query");
    assertThat(profile.code()).as(profile.err()).isZero();
    Run expected = last().run();
    Answer embed =
        cold(
            "embed",
            "--profile=time",
            "a",
            "b",
            "-m",
            model,
            "--task",
            "query",
            "--name=it",
            "--formats",
            "pprof");
    assertThat(embed.code()).as(embed.err()).isZero();
    Run run = last().run();
    assertThat(run.name()).isEqualTo("it");
    assertThat(run.title()).isEqualTo(expected.title());
    assertThat(run.outputDigest()).isEqualTo(expected.outputDigest());
    assertThat(run.plan()).containsEntry("prefix", "'ask: '");
    assertThat(last().profile().level()).isEqualTo(Level.TIME);
    assertThat(last().path().resolve("cpu.pb.gz")).exists();
    cold("embed", "--profile", "a", "b", "-m", model);
    assertThat(last().profile().level()).isEqualTo(Level.ALLOCATION);
    assertThat(last().run().outputDigest()).isNotEqualTo(expected.outputDigest());
  }

  @Test
  void whoNamesNoWorkloadGetsTheOneWhoseOptionsWereGiven() {
    cold("profile", "-m", model, "--texts", 3, "--truncate");
    assertThat(last().run().name()).isEqualTo("embed");
    ridgeline("profile", "--deep", "--filter", "softmax", "--budget", "0.02");
    assertThat(last().run().name()).startsWith("kernels");
    Answer both = ridgeline("profile", "--deep", "-m", model);
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err())
        .isEqualTo(
            "ridgeline: --model, --deep are options of different workloads: name one of embed,"
                + " generate, train, kernels, op\n");
  }

  @Test
  void anOptionThatItKnowsButDoesNotReadIsCalledOut() {
    Answer answer = cold("profile", "embed", "a", "-m", model, "--texts", 5);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("--texts 5 was given, but nothing read it");
  }

  @Test
  void weightsThatAreNotRepackedNameTheWayOut() {
    Answer answer =
        cold("profile", "embed", "a", "-m", model, "--repack", "no", "--iterations", 1, "--top", 3);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out().replaceAll("\\s+", " "))
        .contains(
            "weights are repacked for each product: --repack no; leave out --repack no"
                + " [slow-path]");
    assertThat(cold("profile", "embed", "a", "-m", model, "--iterations", 1).out())
        .doesNotContain("slow-path");
  }

  @Test
  void whatCannotBeEmbeddedLeavesNoRun() throws IOException {
    refused("text 2 is empty", "a", "");
    refused("text 2 has 102 tokens", "a", "x".repeat(100));
    refused("--texts 0: at least 1", "--texts", 0);
    refused("--texts 5000: there are 1,024", "--texts", 5_000);
    refused("--warm-up -1.0: 0 seconds to a day", "a", "--warm-up", -1);
    refused("--iterations 0: at least 1", "a", "--iterations", 0);
    refused("texts as arguments or from --input, not both", "a", "--input", "f");
    refused("no such file", "--input", folder.resolve("none"));
    refused("no text: nothing to embed", "--input", Files.createFile(folder.resolve("empty")));
    assertThat(new Runs(folder.resolve("runs")).list()).isEmpty();
  }

  private void refused(String why, Object... words) {
    List<Object> args = new ArrayList<>(List.of("profile", "embed", "-m", model));
    args.addAll(Arrays.asList(words));
    Answer answer = ridgeline(args.toArray());
    assertThat(answer.err()).hasLineCount(1).contains(why);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
  }
}
