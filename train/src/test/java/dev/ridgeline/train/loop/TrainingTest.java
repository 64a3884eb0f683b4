package dev.ridgeline.train.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.config.TrainConfigFile;
import dev.ridgeline.train.log.JournalReader;
import dev.ridgeline.train.log.Line;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training from beginning to end, in small. */
class TrainingTest {
  private static final String SMALL =
      """
      {
        "name": "small",
        "model": {"shape": "llama", "dim": 16, "layers": 1, "heads": 2, "context": 16},
        "data": {"files": "texts.txt"},
        "batch": 4, "steps": 12,
        "evaluate": {"every": 5}, "checkpoint": {"every": 4}, "sample": {"every": 6, "tokens": 4}
        %s
      }
      """;

  @TempDir Path folder;

  @BeforeEach
  void texts() throws IOException {
    Files.writeString(
        folder.resolve("texts.txt"), "the quick brown fox and the lazy dog\n".repeat(20));
  }

  private TrainConfig config(String more) throws IOException {
    return TrainConfigFile.read(
        Files.writeString(folder.resolve("small.json"), SMALL.formatted(more)));
  }

  private TrainConfig deep(String more) throws IOException {
    String three = SMALL.replace("\"layers\": 1", "\"layers\": 3");
    return TrainConfigFile.read(
        Files.writeString(folder.resolve("small.json"), three.formatted(more)));
  }

  private Training training(TrainConfig config, String out, Device device, boolean resume) {
    return new Training(config, folder.resolve(out), device, resume, Watcher.NOBODY);
  }

  /** Weights at the end of an undisturbed training. */
  private String undisturbed(TrainConfig config, String out) {
    try (Device device = Device.cpu(2);
        Training training = training(config, out, device, false)) {
      assertThat(training.run(() -> false)).isTrue();
      return training.fingerprint();
    }
  }

  @Test
  void whatWasStoppedAndResumedEndsWithTheSameBits() throws IOException {
    TrainConfig config = config("");
    String expected = undisturbed(config, "whole");
    for (int stops = 0; stops < 12; stops++) {
      try (Device device = Device.cpu(1 + stops % 3);
          Training training =
              training(
                  config.withStrategy(stops % 2 == 0 ? Strategy.FINE : Strategy.COARSE),
                  "parts",
                  device,
                  stops > 0)) {
        assertThat(training.step()).isEqualTo(stops);
        assertThat(training.run(() -> true)).isEqualTo(stops == 11);
        if (stops == 11) assertThat(training.fingerprint()).isEqualTo(expected);
      }
    }
    assertThat(folder.resolve("parts/small.gguf"))
        .hasSameBinaryContentAs(folder.resolve("whole/small.gguf"));
    List<Line> whole = JournalReader.read(folder.resolve("whole/journal.jsonl"));
    List<Line> parts = JournalReader.read(folder.resolve("parts/journal.jsonl"));
    assertThat(losses(parts)).hasSize(12).isEqualTo(losses(whole));
    assertThat(seconds(parts)).as("those before are among them").isSorted();
    // What was due at a step behind which it was stopped is made up for.
    assertThat(asides(parts)).hasSize(5).isEqualTo(asides(whole));
  }

  /** Evaluations and samples, without how long they took. */
  private static List<String> asides(List<Line> lines) {
    return lines.stream()
        .filter(line -> !(line instanceof Line.Step))
        .map(
            line ->
                line instanceof Line.Evaluation it
                    ? "%d: %s of %d".formatted(it.step(), it.loss(), it.tokens())
                    : line.toString())
        .toList();
  }

  @Test
  void whereNobodyListensAnyMoreAllThatIsDueIsDoneAndKept() throws IOException {
    TrainConfig config = config(", \"seed\": 3").withStrategy(Strategy.FINE);
    String expected = undisturbed(config, "whole");
    Watcher leaves =
        new Watcher() {
          @Override
          public void step(Training training) {
            if (training.step() == 6) throw new IllegalStateException("gone");
          }
        };
    try (Device device = Device.cpu(1);
        Training training = new Training(config, folder.resolve("left"), device, false, leaves)) {
      assertThatThrownBy(() -> training.run(() -> false)).hasMessage("gone");
      assertThat(training.step()).isEqualTo(6);
    }
    try (Device device = Device.cpu(1);
        Training training = training(config, "left", device, true)) {
      assertThat(training.step()).isEqualTo(6);
      assertThat(training.run(() -> false)).isTrue();
      assertThat(training.fingerprint()).isEqualTo(expected);
    }
    List<Line> whole = JournalReader.read(folder.resolve("whole/journal.jsonl"));
    List<Line> left = JournalReader.read(folder.resolve("left/journal.jsonl"));
    assertThat(left.stream().filter(Line.Sample.class::isInstance))
        .hasSize(2)
        .containsExactlyElementsOf(whole.stream().filter(Line.Sample.class::isInstance).toList());
    assertThat(losses(left)).isEqualTo(losses(whole));
  }

  private static List<Double> losses(List<Line> lines) {
    return lines.stream()
        .filter(Line.Step.class::isInstance)
        .map(line -> ((Line.Step) line).loss())
        .toList();
  }

  private static List<Double> seconds(List<Line> lines) {
    return lines.stream()
        .filter(Line.Step.class::isInstance)
        .map(line -> ((Line.Step) line).seconds())
        .toList();
  }

  @Test
  void aModelLearnsAndIsAFileThatGenerates() throws IOException {
    undisturbed(config(""), "whole");
    List<Line> lines = JournalReader.read(folder.resolve("whole/journal.jsonl"));
    List<Double> losses = losses(lines);
    assertThat(losses.getFirst()).isBetween(5.3, 5.8); // of 257 tokens it knows nothing yet
    assertThat(losses.getLast()).isLessThan(losses.getFirst());
    assertThat(lines.stream().filter(Line.Evaluation.class::isInstance).map(Line::step))
        .containsExactly(5L, 10L, 12L);
    assertThat(lines.stream().filter(Line.Sample.class::isInstance).map(Line::step))
        .containsExactly(6L, 12L);
    try (Generator generator = Generator.open(folder.resolve("whole/small.gguf").toString())) {
      assertThat(generator.generate("the", Sampling.GREEDY.withMaxTokens(5)).ids())
          .hasSizeBetween(1, 5);
    }
  }

  @Test
  void aDryRunLeavesNoTrace() throws IOException {
    TrainConfig config = config("");
    String expected = undisturbed(config, "whole");
    try (Device device = Device.cpu(2);
        Training training = training(config, "dry", device, false)) {
      int[] left = {30};
      training.dryRun(() -> --left[0] == 0);
      assertThat(training.step()).as("beyond what is planned, too").isEqualTo(30);
      double loss = training.loss();
      training.rewind();
      left[0] = 30;
      training.dryRun(() -> --left[0] == 0);
      assertThat(training.loss()).isEqualTo(loss);
      training.rewind();
      assertThat(folder.resolve("dry")).doesNotExist();
      assertThat(training.run(() -> false)).isTrue();
      assertThat(training.fingerprint()).isEqualTo(expected);
    }
  }

  @Test
  void planningTakesNoMemoryAndWritesNothing() throws IOException {
    Map<String, Long> account = new TreeMap<>();
    try (Device planned = DeviceChoice.DEFAULT.withWorkers(2).plan(account);
        Training training = training(config(""), "planned", planned, false)) {
      assertThat(training.steps()).isEqualTo(12);
      assertThat(account).containsKeys("weights", "gradients", "optimizer", "workspace");
      assertThat(training.memory()).isEqualTo(account);
    }
    assertThat(folder.resolve("planned")).doesNotExist();
  }

  @Test
  void aFolderWithATrainingIsRefused() throws IOException {
    TrainConfig config = config("");
    undisturbed(config, "whole");
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(config, "whole", device, false))
          .isInstanceOf(TrainException.class)
          .hasMessageEndingWith("whole: already has a training: --resume continues it");
      TrainConfig other = config(", \"seed\": 2");
      assertThatThrownBy(() -> training(other, "whole", device, true))
          .isInstanceOf(TrainException.class)
          .hasMessageContaining("belongs to another configuration (steps are part of it");
    }
  }

  @Test
  void activationsInHalvesTakeLessMemoryAndAreAnotherTraining() throws IOException {
    TrainConfig whole = deep("");
    TrainConfig halves = deep(", \"storage\": \"bf16\"");
    assertThat(workspace(halves)).isLessThan(workspace(whole));
    assertThat(workspace(deep(", \"recompute\": true"))).isLessThan(workspace(whole));
    undisturbed(halves, "halves");
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(whole, "halves", device, true))
          .isInstanceOf(TrainException.class)
          .hasMessageContaining("belongs to another configuration (steps are part of it");
    }
  }

  @Test
  void otherTextsAreToldFromAnotherConfiguration() throws IOException {
    TrainConfig config = config("");
    undisturbed(config, "whole");
    Files.writeString(folder.resolve("texts.txt"), "something else, again and again\n".repeat(30));
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(config, "whole", device, true))
          .isInstanceOf(TrainException.class)
          .hasMessageEndingWith("belongs to other texts: choose another folder");
    }
  }

  @Test
  void twoTrainingsInOneFolderAreOneTooMany() throws IOException {
    TrainConfig config = config("");
    try (Device device = Device.cpu(1);
        Training one = training(config, "whole", device, false);
        Training other = training(config, "whole", device, false)) {
      assertThat(one.run(() -> true)).isFalse();
      assertThatThrownBy(() -> other.run(() -> true))
          .isInstanceOf(TrainException.class)
          .hasMessageEndingWith("whole: another training is running in it");
    }
    String expected = undisturbed(config, "undisturbed");
    try (Device device = Device.cpu(1);
        Training one = training(config, "whole", device, true)) {
      assertThat(one.run(() -> false)).isTrue();
      assertThat(one.fingerprint()).isEqualTo(expected);
    }
  }

  @Test
  void whatIsReadIsNotWrittenOver() throws IOException {
    undisturbed(config(""), "whole");
    String on =
        "{\"name\": \"%s\", \"model\": {\"file\": \"whole/small.gguf\"}, \"length\": 16,"
            + " \"data\": {\"files\": \"%s\"}, \"batch\": 4, \"steps\": 2}";
    Files.createDirectory(folder.resolve("own"));
    Files.copy(folder.resolve("texts.txt"), folder.resolve("own/report.html"));
    Path file = folder.resolve("on.json");
    TrainConfig model =
        TrainConfigFile.read(Files.writeString(file, on.formatted("small", "texts.txt")));
    TrainConfig texts =
        TrainConfigFile.read(Files.writeString(file, on.formatted("on", "own/report.html")));
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(model, "whole", device, true))
          .hasMessageContaining("whole/small.gguf: is an input and would be overwritten");
      assertThatThrownBy(() -> training(texts, "own", device, false))
          .hasMessageContaining("own/report.html: is an input and would be overwritten");
    }
  }

  @Test
  void damagedCheckpointsAreNotWrittenOver() throws IOException {
    TrainConfig config = config("");
    undisturbed(config, "whole");
    try (var files = Files.list(folder.resolve("whole/checkpoints"))) {
      for (Path each : files.toList()) Files.writeString(each, "damaged");
    }
    byte[] journal = Files.readAllBytes(folder.resolve("whole/journal.jsonl"));
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(config, "whole", device, true))
          .message()
          .containsPattern("step-\\d{6}\\.checkpoint: is damaged: ")
          .containsPattern("; (there is no other|the earlier ones are damaged, too)$");
    }
    assertThat(folder.resolve("whole/journal.jsonl")).hasBinaryContent(journal);
  }

  @Test
  void aModelThatWasLostIsWrittenAgain() throws IOException {
    TrainConfig config = config("");
    undisturbed(config, "whole");
    Path model = folder.resolve("whole/small.gguf");
    byte[] was = Files.readAllBytes(model);
    Files.delete(model);
    Path stray = Files.writeString(model.resolveSibling(".tmp-1-small.gguf"), "of a killed one");
    try (Device device = Device.cpu(1);
        Training training = training(config, "whole", device, true)) {
      assertThat(training.run(() -> false)).isTrue();
      assertThat(training.wasDone()).isTrue();
      assertThat(training.loss()).isBetween(4.0, 6.0);
    }
    assertThat(model).hasBinaryContent(was);
    assertThat(stray).doesNotExist();
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeTheFirstStep() throws IOException {
    try (Device device = Device.cpu(1)) {
      TrainConfig prompt =
          TrainConfigFile.read(
              Files.writeString(
                  folder.resolve("long.json"),
                  SMALL
                      .formatted("")
                      .replace("\"tokens\": 4", "\"prompt\": \"longer than all sixteen\"")));
      assertThatThrownBy(() -> training(prompt, "prompt", device, false))
          .hasMessageContaining("sample.prompt: has ");
      assertThat(folder.resolve("prompt")).doesNotExist();
    }
  }

  @Test
  void aTokenizerThatIsNotTheModelsIsRefused() throws IOException {
    undisturbed(config(", \"tokenizer\": {\"train\": \"bpe\", \"vocabulary\": 262}"), "whole");
    TrainConfig config =
        TrainConfigFile.read(
            Files.writeString(
                folder.resolve("on.json"),
                """
                {"model": {"file": "whole/small.gguf"}, "tokenizer": "bytes", "length": 16,
                 "data": {"files": "texts.txt"}, "batch": 4, "steps": 2}
                """));
    try (Device device = Device.cpu(1)) {
      assertThatThrownBy(() -> training(config, "on", device, false))
          .isInstanceOf(TrainException.class)
          .hasMessage(
              "the tokenizer has 257 tokens, the model 262; its own is {\"from\":"
                  + " \"whole/small.gguf\"}");
    }
  }

  private long workspace(TrainConfig config) {
    Map<String, Long> account = new TreeMap<>();
    try (Device planned = DeviceChoice.DEFAULT.withWorkers(1).plan(account);
        Training _ = training(config, "planned", planned, false)) {
      return account.get("workspace");
    }
  }

  @Test
  void weightsThatNoTextHasMetAreLookedAtBeforeTheyAreKept() throws IOException {
    String untied = SMALL.replace("\"layers\": 1", "\"layers\": 1, \"tied\": false").formatted("");
    undisturbed(
        TrainConfigFile.read(Files.writeString(folder.resolve("small.json"), untied)), "whole");
    // Its first row is of byte 0, which is in no text: losses stay numbers.
    spoil(folder.resolve("whole/small.gguf"), "token_embd.weight");
    TrainConfig config =
        TrainConfigFile.read(
            Files.writeString(
                folder.resolve("on.json"),
                """
                {"model": {"file": "whole/small.gguf"}, "length": 16,
                 "data": {"files": "texts.txt"}, "batch": 4, "steps": 2}
                """));
    try (Device device = Device.cpu(1);
        Training training = training(config, "on", device, false)) {
      assertThatThrownBy(() -> training.run(() -> false))
          .isInstanceOf(TrainException.class)
          .hasMessage(
              "step 2: weights token_embd.weight contain NaN or infinity; the last checkpoint is"
                  + " unchanged");
      assertThat(training.finite()).isFalse();
    }
    assertThat(folder.resolve("on/checkpoints")).doesNotExist();
    assertThat(folder.resolve("on/on.gguf")).doesNotExist();
  }

  @Test
  void aLossOfNanNamesItsOrigin() throws IOException {
    undisturbed(config(""), "whole");
    Path model = folder.resolve("whole/small.gguf");
    spoil(model, "blk.0.attn_output.weight");
    TrainConfig config =
        TrainConfigFile.read(
            Files.writeString(
                folder.resolve("on.json"),
                """
                {
                  "model": {"file": "whole/small.gguf"},
                  "data": {"files": "texts.txt"},
                  "batch": 4, "length": 16, "steps": 3
                }
                """));
    try (Device device = Device.cpu(2);
        Training training = training(config, "on", device, false)) {
      assertThatThrownBy(() -> training.run(() -> false))
          .isInstanceOf(TrainException.class)
          .hasMessage(
              "step 1: loss is NaN, first in weights blk.0.attn_output.weight; the last"
                  + " checkpoint is unchanged");
      assertThat(training.finite()).isFalse();
    }
  }

  /** Makes the first number of a tensor none. */
  private static void spoil(Path model, String tensor) throws IOException {
    long at;
    try (Gguf file = Gguf.open(model)) {
      var data = file.tensor(tensor).data();
      float first = data.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
      float second = data.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4);
      at = find(Files.readAllBytes(model), first, second);
    }
    try (FileChannel channel = FileChannel.open(model, StandardOpenOption.WRITE)) {
      channel.write(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, Float.NaN), at);
    }
  }

  private static long find(byte[] bytes, float first, float second) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + 8 <= bytes.length; at += 4) {
      if (file.getFloat(at) == first && file.getFloat(at + 4) == second) return at;
    }
    throw new AssertionError("these numbers are not in the file");
  }
}
