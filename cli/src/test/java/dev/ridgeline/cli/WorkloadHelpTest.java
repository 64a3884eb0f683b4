package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.profile.ProfileCommand;
import dev.ridgeline.cli.workload.WorkloadKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadHelpTest {
  static Stream<WorkloadKind> kinds() {
    return ProfileCommand.KINDS.stream();
  }

  private static List<String> options(String help) {
    return help.lines()
        .map(String::strip)
        .filter(line -> line.startsWith("-"))
        .map(line -> line.replaceFirst("^-\\w, ", "").split("[\\s=\\[]")[0])
        .toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWorkloadsHelpHasItsOptionsAndThoseOfAllAndNoOthers(WorkloadKind kind) {
    Answer answer = Answer.of("profile", kind.name(), "--help");
    assertThat(answer.code()).as(answer.err()).isZero();
    String own = "ridgeline profile " + kind.name();
    assertThat(answer.out()).startsWith("Usage: " + own).contains(kind.summary());
    List<String> options = options(answer.out());
    assertThat(options)
        .doesNotHaveDuplicates()
        .containsAll(kind.settings().stream().map(Setting::name).toList())
        .contains("--help", "--level", "--formats", "--json");
    List<String> all = options(Answer.of("profile", "--help").out());
    assertThat(all).containsAll(options).contains("--pid");
    kinds()
        .flatMap(other -> other.settings().stream().map(Setting::name))
        .filter(name -> kind.settings().stream().noneMatch(its -> its.name().equals(name)))
        .forEach(name -> assertThat(options).doesNotContain(name));
    assertThat(options).doesNotContain("--pid");
    assertThat(answer.out().lines().filter(line -> line.startsWith("  ridgeline ")))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("  " + own));
    assertThat(Answer.of("help", "profile", kind.name()).out()).isEqualTo(answer.out());
  }

  @Test
  void anotherWordHasTheHelpOfAll() {
    assertThat(Answer.of("profile", "nothing", "--help").out())
        .isEqualTo(Answer.of("profile", "--help").out());
  }
}
