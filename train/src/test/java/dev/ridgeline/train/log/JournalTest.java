package dev.ridgeline.train.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.oracle.Allocated;
import dev.ridgeline.train.TrainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JournalTest {
  @TempDir Path folder;

  @Test
  void aLineIsJsonThatAnyoneReads() throws IOException {
    Path file = folder.resolve("train.jsonl");
    try (Journal journal = Journal.create(file)) {
      journal.step(1, 5.5, 1e-3, 0.25, 30_569, 0.125, 1 << 20);
      journal.evaluation(1, 5.25, 1000, 2);
      journal.sample(1, "\n", "say \"é\" \\ 🦙\n\u0000");
      // Each line is there before the next.
      List<String> lines = Files.readAllLines(file);
      assertThat(lines).hasSize(3);
      JsonNode step = JsonMapper.shared().readTree(lines.getFirst());
      assertThat(step.propertyNames())
          .containsExactly(
              "kind", "step", "loss", "rate", "norm", "tokensPerSecond", "seconds", "memory");
      assertThat(step.get("loss").asDouble()).isEqualTo(5.5);
      JsonNode sample = JsonMapper.shared().readTree(lines.getLast());
      assertThat(sample.get("text").asString()).isEqualTo("say \"é\" \\ 🦙\n\u0000");
    }
  }

  @Test
  void whatIsWrittenReadsBackToTheBit() {
    long seed = 20261116;
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("train.jsonl");
    List<Line> lines = new ArrayList<>();
    try (Journal journal = Journal.create(file)) {
      for (int step = 1; step <= 500; step++) {
        Line.Step one =
            new Line.Step(
                step,
                any(random),
                any(random),
                any(random),
                any(random),
                any(random),
                random.nextLong());
        journal.step(
            one.step(),
            one.loss(),
            one.rate(),
            one.norm(),
            one.tokensPerSecond(),
            one.seconds(),
            one.memory());
        lines.add(one);
        if (step % 7 == 0) {
          Line.Evaluation evaluation =
              new Line.Evaluation(step, any(random), random.nextLong(), any(random));
          journal.evaluation(step, evaluation.loss(), evaluation.tokens(), evaluation.seconds());
          lines.add(evaluation);
        }
        if (step % 11 == 0) {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(2000); i > 0; i--) text.append((char) random.nextInt(65536));
          journal.sample(step, "\"", text.toString());
          lines.add(new Line.Sample(step, "\"", text.toString()));
        }
      }
    }
    assertThat(JournalReader.read(file)).as("seed %d", seed).isEqualTo(lines);
  }

  /** Any finite number, and now and then none. */
  private static double any(SplittableRandom random) {
    double value = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(value) ? value : Double.NaN;
  }

  @Test
  void whatIsNoNumberIsNull() throws IOException {
    Path file = folder.resolve("train.jsonl");
    try (Journal journal = Journal.create(file)) {
      journal.step(1, Double.NaN, 1, Double.POSITIVE_INFINITY, 1, 1, 1);
    }
    assertThat(Files.readString(file)).contains("\"loss\":null", "\"norm\":null");
    assertThat(JournalReader.read(file))
        .containsExactly(new Line.Step(1, Double.NaN, 1, Double.NaN, 1, 1, 1));
  }

  @Test
  void goingOnDropsTheLinesOfLaterSteps() throws IOException {
    Path file = folder.resolve("train.jsonl");
    write(file, 1, 20);
    byte[] whole = Files.readAllBytes(file);
    for (int stop : new int[] {0, 1, 9, 20, 30}) {
      Files.write(file, whole);
      try (Journal journal = Journal.resume(file, stop, _ -> {})) {
        journal.step(stop + 1, 0, 0, 0, 0, 0, 0);
      }
      List<Line> lines = JournalReader.read(file);
      assertThat(lines).hasSize(2 * Math.min(stop, 20) + 1);
      assertThat(lines.getLast().step()).isEqualTo(stop + 1);
      assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.step() <= stop);
    }
  }

  @Test
  void aRunThatIsStoppedAndGoesOnLeavesTheSameJournal() throws IOException {
    Path whole = folder.resolve("whole.jsonl");
    write(whole, 1, 30);
    Path file = folder.resolve("train.jsonl");
    write(file, 1, 17);
    Files.writeString(file, "{\"kind\":\"step\",\"st", StandardOpenOption.APPEND);
    try (Journal journal = Journal.resume(file, 12, _ -> {})) {
      write(journal, 13, 30);
    }
    assertThat(file).hasSameBinaryContentAs(whole);
  }

  @Test
  void oneThatIsNotThereYetIsBegun() {
    Path file = folder.resolve("train.jsonl");
    Journal.resume(file, 5, _ -> {}).close();
    assertThat(file).isEmptyFile();
    assertThatThrownBy(() -> Journal.create(folder.resolve("none/train.jsonl")))
        .isInstanceOf(TrainException.class)
        .hasMessageEndingWith("none/train.jsonl: no such file or directory");
    assertThatThrownBy(() -> JournalReader.read(folder.resolve("none")))
        .hasMessageEndingWith("none: no such file or directory");
  }

  @Test
  void linesOutOfOrderAreSortedOut() throws IOException {
    Path file = folder.resolve("train.jsonl");
    try (Journal journal = Journal.create(file)) {
      journal.step(1, 0, 0, 0, 0, 0, 0);
      journal.step(9, 0, 0, 0, 0, 0, 0);
      journal.step(2, 0, 0, 0, 0, 0, 0);
    }
    Journal.resume(file, 2, _ -> {}).close();
    assertThat(JournalReader.read(file)).extracting(Line::step).containsExactly(1L, 2L);
  }

  @Test
  void aLineThatNobodyCanReadIsDroppedWhenItGoesOn() throws IOException {
    Path file = folder.resolve("train.jsonl");
    write(file, 1, 3);
    String good = Files.readString(file);
    Files.writeString(file, "garbage\n" + good);
    List<String> warnings = new ArrayList<>();
    Journal.resume(file, 3, warnings::add).close();
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith(file + ":1: not JSON: ")
        .endsWith("; the line is dropped");
    assertThat(file).hasContent(good);
  }

  @Test
  void aWrongLineIsNamedAndHalfALineAtTheEndIsNot() throws IOException {
    Path file = folder.resolve("train.jsonl");
    write(file, 1, 3);
    String good = Files.readString(file);
    for (String wrong :
        List.of(
            "{}",
            "[]",
            "x",
            "{\"kind\":\"step\",\"step\":1}",
            "{\"kind\":\"song\",\"step\":1}",
            "",
            "{\"kind\":1,\"step\":1}",
            "{\"kind\":\"sample\",\"step\":[]}",
            "{} {}")) {
      Files.writeString(file, good + wrong + "\n" + good);
      assertThatThrownBy(() -> JournalReader.read(file))
          .as(wrong)
          .isInstanceOf(TrainException.class)
          .hasMessageStartingWith(file + ":7: ");
      Files.writeString(file, good + wrong);
      assertThat(JournalReader.read(file)).hasSize(6);
    }
  }

  @Test
  void damageIsToldInOneLine() throws IOException {
    long seed = 20261117;
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("train.jsonl");
    write(file, 1, 5);
    byte[] good = Files.readAllBytes(file);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = good.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(5) == 0) bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      Files.write(file, bytes);
      try {
        assertThat(JournalReader.read(file)).hasSizeLessThanOrEqualTo(12);
      } catch (TrainException e) {
        refused++;
        assertThat(e.getMessage()).as("seed %d, file %d", seed, i).startsWith(file + ":");
      }
    }
    assertThat(refused).isGreaterThan(500);
  }

  @Test
  @Tag("own-jvm")
  void aStepAllocatesNothing() {
    String file = folder.resolve("train.jsonl").toString();
    assertThat(Allocated.by(WrittenAgain.class, file)).containsExactly(entry("500 steps", 0L));
  }

  static final class WrittenAgain {
    public static void main(String[] arguments) {
      try (Journal journal = Journal.create(Path.of(arguments[0]))) {
        Allocated.again("500 steps", () -> write(journal));
      }
    }

    private static void write(Journal journal) {
      for (int i = 0; i < 500; i++) {
        journal.step(i, 1.0 / (i + 3), 1e-3 * i, i * 0.7, 12345.678 + i, i * 0.01, i * 4096L);
      }
    }
  }

  private static void write(Path file, int from, int to) {
    try (Journal journal = Journal.create(file)) {
      write(journal, from, to);
    }
  }

  private static void write(Journal journal, int from, int to) {
    for (int step = from; step <= to; step++) {
      journal.step(step, 5.0 / step, 1e-3, 1, 1000, step * 0.5, 1 << 20);
      journal.evaluation(step, 4.0 / step, 100, 0.5);
    }
  }
}
