package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.lab.roofline.CeilingsStore;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RooflineCommandTest {
  @TempDir private Path cache;

  /** So that nothing is measured here but where a test says so. */
  @BeforeEach
  void ceilingsAreKept() {
    CeilingsStore.in(cache).write(roof());
  }

  private static Ceilings roof() {
    Traffic fast = new Traffic(rate(1e11), rate(5e10), rate(5e10));
    Traffic slow = new Traffic(rate(1e10), rate(5e9), rate(5e9));
    return new Ceilings(
        Instant.now().truncatedTo(ChronoUnit.MILLIS),
        2,
        List.of(
            new Compute(Arithmetic.F32, rate(5e10), rate(1e11), 0),
            new Compute(Arithmetic.INT8, rate(2e11), rate(4e11), 0)),
        List.of(
            new Memory(Level.L3, 32 << 20, fast, fast, 0),
            new Memory(Level.DRAM, 0, slow, slow, 0)));
  }

  private static Rate rate(double typical) {
    return new Rate(typical, typical * 0.9, typical * 1.1);
  }

  private Answer roofline(Object... args) {
    Object[] all = new Object[args.length + 3];
    all[0] = "roofline";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--cache";
    all[args.length + 2] = cache;
    return Answer.of(all);
  }

  private JsonNode json(Object... args) {
    Answer answer = roofline(args);
    assertThat(answer.code()).as(answer.err()).isZero();
    return JsonMapper.shared().readTree(answer.out());
  }

  @Test
  void keptCeilingsAreShownWithTheirSpread() {
    Answer answer = roofline();
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .containsPattern("f32 fma +GFLOP/s +50.0 \\(45.0–55.0\\) +100 \\(90.0–110\\)")
        .containsPattern("L3 read +33\\.6 MB +100 \\(90.0–110\\) +100 \\(90.0–110\\)")
        .contains("int8: memory binds below 40.0 operations per byte, compute above")
        .doesNotContain("data sheet");
    assertThat(answer.out().lines()).allMatch(line -> line.length() <= 100);
    JsonNode f32 = json("--json").path("ceilings").path("compute").path("f32");
    assertThat(f32.path("all").path("typical").asDouble()).isEqualTo(1e11);
  }

  @Test
  void doubtStandsBesideTheCeilingThatItConcerns() {
    Instant before = Instant.parse("2026-11-10T08:00:00Z");
    Rate kept = new Rate(1e10, 9e9, 1.1e10, before, false);
    Rate busy = new Rate(5e9, 4e9, 6e9, null, true);
    Ceilings roof = roof();
    Memory dram = new Memory(Level.DRAM, 0, roof.memory().getLast().one(), null, 0);
    Traffic all = new Traffic(kept, busy, dram.one().copy());
    CeilingsStore.in(cache)
        .write(
            new Ceilings(
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                2,
                roof.compute(),
                List.of(new Memory(Level.DRAM, 0, dram.one(), all, 0))));
    assertThat(roofline().out())
        .containsPattern("DRAM read .* 10.0 \\(9.00–11.0\\)\n")
        .containsPattern("write .*, busy\n")
        .contains("Kept, because they were higher before (--replace forgets them):\n")
        .contains("    of 2026-11-10 08:00 UTC: DRAM read, all cores\n");
    JsonNode traffic = json("--json").path("ceilings").path("memory").path("DRAM").path("all");
    assertThat(traffic.path("read").path("measured").asString()).isEqualTo(before.toString());
    assertThat(traffic.path("write").path("disturbed").asBoolean()).isTrue();
    assertThat(traffic.path("copy").has("disturbed")).isFalse();
  }

  /** The kept one is far beyond any machine. */
  @Test
  void whatWasHigherIsKeptUntilItIsReplaced() {
    Traffic traffic = new Traffic(rate(1e15), rate(1e9), rate(1e9));
    Memory dram = new Memory(Level.DRAM, 0, traffic, traffic, 0);
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    CeilingsStore.in(cache).write(new Ceilings(now, 2, roof().compute(), List.of(dram)));
    assertThat(dramRead("--measure")).isEqualTo(1e15);
    assertThat(dramRead()).isEqualTo(1e15);
    assertThat(dramRead("--replace")).isBetween(1e8, 1e13);
    assertThat(dramRead()).isBetween(1e8, 1e13);
  }

  private double dramRead(Object... args) {
    List<Object> words = new ArrayList<>(List.of(args));
    words.add("--json");
    return json(words.toArray()).at("/ceilings/memory/DRAM/one/read/typical").asDouble();
  }

  @Test
  void peaksOfADataSheetStayBesideThem() {
    assertThat(roofline("--sheet", "f32=294,dram=51.2").code()).isZero();
    assertThat(roofline().out()).contains("data sheet").containsPattern("f32 .* 294\n");
    assertThat(roofline("--sheet", "f32=0,dram=0").out()).doesNotContain("data sheet");
  }

  @Test
  void aProductIsTimedBesideItsLeastTime() {
    JsonNode op = json("--op", "q8_0 64x64 x 2", "--json").path("op");
    assertThat(op.path("weightBytes").asLong()).isEqualTo(64 * 2 * 34);
    assertThat(op.path("activationBytes").asLong()).isEqualTo(4 * 2 * 128);
    assertThat(op.path("operations").asDouble()).isEqualTo(2.0 * 2 * 64 * 64);
    JsonNode memory = op.path("places").get(0);
    assertThat(memory.path("level").asString()).isEqualTo("DRAM");
    assertThat(memory.has("measuredSeconds")).isFalse(); // cannot outgrow the caches
    JsonNode cached = op.path("places").get(1);
    assertThat(cached.path("level").asString()).isEqualTo("L3");
    assertThat(cached.path("measuredSeconds").asDouble()).isPositive();
    assertThat(cached.path("limitedBy").asString()).isEqualTo("L3 read");
  }

  @Test
  void aTimeThatBeatsItsCeilingProvesThatTooLow() {
    Traffic crawling = new Traffic(rate(1e4), rate(1e4), rate(1e4));
    Compute f32 = roof().compute().getFirst();
    CeilingsStore.in(cache)
        .write(
            new Ceilings(
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                2,
                List.of(f32),
                List.of(
                    new Memory(Level.L3, 32 << 20, crawling, crawling, 0),
                    new Memory(Level.DRAM, 0, crawling, crawling, 0))));
    Answer answer = roofline("--op", "f32 64x64 x 1");
    assertThat(answer.out())
        .containsPattern("L3 read +\\S+ GB/s, too low ")
        .containsPattern("f32 fma +100 GFLOP/s ")
        .containsPattern("weights from L3, again and again: measured .+ \\(best .+\\)\n")
        .contains("faster than the ceiling of L3 read allows (", "so that is too low")
        .doesNotContain("weights from L3, again and again: at least", "reached");
    assertThat(answer.out().lines()).allMatch(line -> line.length() <= 100);
    JsonNode place = json("--op", "f32 64x64 x 1", "--json").path("op").path("places").get(1);
    assertThat(place.path("beatsCeiling").asBoolean()).isTrue();
    assertThat(place.path("bestSeconds").asDouble()).isLessThan(place.path("seconds").asDouble());
  }

  @Test
  void aModelIsBoundByItsShapeAlone() {
    Path decoder = TinyDecoder.write(cache.resolve("decoder.gguf"));
    Answer answer = roofline("-m", decoder);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .contains("llama, 2 layers", "prefill of 128 tokens: at most ")
        .contains("decode at a context of 128: at most ")
        .contains("attention linear", "scores", "attention output", "ffn", "head", "total");
    assertThat(answer.out().lines()).allMatch(line -> line.length() <= 100 || line.contains("/"));
    JsonNode decode =
        json("-m", decoder, "--context", 64, "--json").path("model").path("phases").get(1);
    assertThat(decode.path("name").asString()).isEqualTo("decode at a context of 64");
    assertThat(decode.path("parts").size()).isEqualTo(2 * 4 + 1);
    double sum = 0;
    for (JsonNode part : decode.path("parts")) sum += part.path("seconds").asDouble();
    assertThat(1 / decode.path("perSecond").asDouble()).isCloseTo(sum, within(1e-6 * sum));
  }

  @Test
  void anEncoderIsBoundInTexts() {
    Path model = cache.resolve("encoder.gguf");
    SynthModel.write(SynthShape.EMBEDDINGGEMMA_TINY, TensorType.Q8_0, 1, model, _ -> {});
    assertThat(roofline("-m", model, "--texts", 8, "--tokens", 16).out())
        .contains("8 texts of 16 tokens together: at most ", " texts/s")
        .contains("a text of 16 tokens alone");
  }

  @Test
  void anOptionThatReachesNothingIsCalledOut() {
    assertThat(roofline("--context", 7).err())
        .isEqualTo("ridgeline: --context has no effect here\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --op;q4_k             | --op 'q4_k': say TYPE OUTPUTSxINPUTS x ROWS
          --op;q4_k 8x8 x 1     | --op 'q4_k 8x8 x 1': 8 inputs do not fill blocks of 256
          --op;                 | --op '': is empty
          --sheet;gpu=1         | --sheet 'gpu=1': 'gpu=1' is not NAME=NUMBER
          --sheet;bf16=1        | --sheet bf16: this machine has no such ceiling
          --op;f32 8x8 x 1;-m;x | --op and -m: one at a time
          -m;nowhere.gguf       | nowhere.gguf: no such file
          """)
  void aBadQuestionIsOneLine(String words, String reason) {
    Answer answer = roofline((Object[]) words.split(";", -1));
    assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).startsWith("ridgeline: " + reason).hasLineCount(1);
  }

  @Test
  void tokensBeyondAModelsContextAreRefused() {
    Path decoder = TinyDecoder.write(cache.resolve("decoder.gguf"));
    Answer answer = roofline("-m", decoder, "--tokens", 129);
    assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(answer.err()).isEqualTo("ridgeline: --tokens 129: the model knows 128\n");
  }
}
