package dev.ridgeline.agent.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Format;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentOptionsTest {
  @Test
  void withoutAPatternCodeIsSampled() {
    assertThat(parse("").sample()).isEqualTo("cpu");
    assertThat(parse("exclude=Foo").sample()).isEqualTo("cpu");
    assertThat(parse("scope=Foo").sample()).isEqualTo("none");
    assertThat(parse("sample=none").sample()).isEqualTo("none");
    assertThat(parse("sampler=async").sample()).isEqualTo("all");
  }

  @Test
  void listsNeedNoQuotes() {
    AgentOptions options =
        parse(
            "scope=com.acme.**,Foo.bar(int,long),!Foo.baz,level=time,formats=html,top,exclude=A,B");
    assertThat(options.scopes())
        .containsExactly("com.acme.**", "Foo.bar(int,long)", "!Foo.baz", "!A", "!B");
    assertThat(options.level()).isEqualTo(Level.TIME);
    assertThat(options.formats()).containsExactly(Format.HTML, Format.TOP);
  }

  @Test
  void nothingGivenIsFine() {
    AgentOptions options = parse("");
    assertThat(options.scopes()).isEmpty();
    assertThat(options.level()).isEqualTo(Level.ALLOCATION);
    assertThat(options.duration()).isNull();
    assertThat(options.runs()).isEqualTo(Path.of("runs").toAbsolutePath());
  }

  @Test
  void theEnvironmentNamesTheRunsUnlessTheOptionDoes() {
    assertThat(AgentOptions.parse("", "/elsewhere").runs()).isEqualTo(Path.of("/elsewhere"));
    assertThat(AgentOptions.parse("runs=/here", "/elsewhere").runs()).isEqualTo(Path.of("/here"));
  }

  @Test
  void whoNamesASamplerWantsSamples() {
    assertThat(parse("scope=Foo").sample()).isEqualTo("none");
    assertThat(parse("sampler=async").sample()).isEqualTo("all");
    assertThat(parse("sampler=async,sample=cpu").sample()).isEqualTo("cpu");
    assertThat(parse("sampler=async,event=cache-misses").event())
        .isEqualTo(Samples.Event.CACHE_MISSES);
  }

  @Test
  void timesHaveUnits() {
    assertThat(parse("duration=30s").duration()).isEqualTo(Duration.ofSeconds(30));
    assertThat(parse("snapshot=500ms").snapshot()).isEqualTo(Duration.ofMillis(500));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exlude=a.b           | no option 'exlude'; did you mean exclude?",
        "level=loud           | level=loud: time, allocation or trace",
        "level=off            | level=off: time, allocation or trace",
        "top=many             | top=many: a number, at least 1",
        "top=0                | top=0: a number, at least 1",
        "sampler=asink        | sampler=asink: jfr, async",
        "sampler=jfr,sample=none | sampler: sample=none leaves it nothing to do",
        "event=cycles         | event=cycles: needs sampler=async",
        "sampler=async,sample=alloc,event=cycles | event=cycles: needs sample=cpu",
        "sampler=async,event=misses | event=misses: cpu, cycles, instructions, cache-misses,",
        "duration=30          | duration=30: a time such as 500ms, 30s or 5m",
        "handovers=maybe      | handovers=maybe: on or off",
        "formats=pdf          | no format 'pdf'",
        "scope=Foo.bar(       | pattern 'Foo.bar(': a closing ) is missing",
        "a.b.c                | no option 'a.b.c'",
      })
  void aWrongOptionIsRefusedInOneLine(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** What the command line writes is what the agent reads, whatever is in a name. */
  @Test
  void whatIsWrittenIsRead() {
    String letters = "ab/,\\=() .é";
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      StringBuilder name = new StringBuilder("x");
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++)
        name.append(letters.charAt(random.nextInt(letters.length())));
      name.append('y');
      Map<String, List<String>> options = new LinkedHashMap<>();
      options.put("scope", List.of("Foo.bar(int, long)", "!a.**"));
      options.put("name", List.of(name.toString()));
      options.put("runs", List.of("/" + name));
      AgentOptions read = parse(AgentOptions.write(options));
      assertThat(read.name()).as("seed " + seed).isEqualTo(name.toString());
      assertThat(read.runs().toString()).isEqualTo(Path.of("/" + name).toString());
      assertThat(read.scopes()).containsExactly("Foo.bar(int, long)", "!a.**");
    }
  }

  private static AgentOptions parse(String text) {
    return AgentOptions.parse(text, null);
  }
}
