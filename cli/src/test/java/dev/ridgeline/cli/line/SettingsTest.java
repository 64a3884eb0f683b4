package dev.ridgeline.cli.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.report.run.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

class SettingsTest {
  private enum Shape {
    ROUND,
    SQUARE
  }

  private static final Setting<Integer> TOP = Setting.number("--top N", 20, "rows");
  private static final Setting<Boolean> JSON = Setting.flag("--json", "print JSON");
  private static final Setting<Shape> SHAPE =
      Setting.choice("--shape SHAPE", Shape.class, Shape.ROUND, "shape");
  private static final Setting<String> NAME = Setting.text("--name NAME", "100 % a name");
  // A variable that every process has, so that the test need not set one.
  private static final Setting<String> PLACE =
      Setting.text("--place DIR", "here", "place").orEnvironment("PATH");

  private static final Setting<Double> SHARE =
      Setting.number("--share PART", Double.class, "share");
  private static final Setting<Shape> CUT =
      Setting.choice("--cut SHAPE", Shape.class, "cut").orBare("square");

  @Command(name = "example")
  private static final class Example {
    @Mixin final Settings settings = new Settings(TOP, JSON, SHAPE, NAME, PLACE, CUT, SHARE);

    @Parameters(arity = "0..*")
    List<String> words = List.of();
  }

  private static Settings parse(String... arguments) {
    var example = new Example();
    new CommandLine(example).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return example.settings;
  }

  @Test
  void anOptionThatIsNotGivenHasItsPreset() {
    var settings = parse();
    assertThat(settings.read(TOP)).isEqualTo(20);
    assertThat(settings.read(JSON)).isFalse();
    assertThat(settings.read(SHAPE)).isEqualTo(Shape.ROUND);
    assertThat(settings.read(NAME)).isNull();
    assertThat(settings.given(TOP)).isFalse();
  }

  @Test
  void anOptionThatIsGivenCounts() {
    var settings = parse("--top=3", "--json", "--shape", "square", "--name", "x");
    assertThat(settings.read(TOP)).isEqualTo(3);
    assertThat(settings.read(JSON)).isTrue();
    assertThat(settings.read(SHAPE)).isEqualTo(Shape.SQUARE);
    assertThat(settings.read(NAME)).isEqualTo("x");
    assertThat(settings.typed(TOP)).isTrue();
  }

  @Test
  void aWordThatIsNoValueOfAnOptionIsTheCommandsOwn() {
    Object[][] cases = {
      {"--cut", Shape.SQUARE, ""},
      {"--cut kernels", Shape.SQUARE, "kernels"},
      {"--cut Round kernels", Shape.ROUND, "kernels"},
      {"--cut=round round", Shape.ROUND, "round"},
      {"--cut --json", Shape.SQUARE, ""},
      {"kernels --cut", Shape.SQUARE, "kernels"},
      {"--cut -- round", Shape.SQUARE, "round"},
    };
    for (Object[] one : cases) {
      var example = new Example();
      new CommandLine(example)
          .setCaseInsensitiveEnumValuesAllowed(true)
          .parseArgs(((String) one[0]).split(" "));
      assertThat(example.settings.read(CUT)).as("%s", one[0]).isEqualTo(one[1]);
      assertThat(String.join(" ", example.words)).as("%s", one[0]).isEqualTo(one[2]);
    }
    assertThatThrownBy(() -> parse("--cut=kernels")).hasMessageContaining("'kernels'");
  }

  @Test
  void aWordThatIsNoNumberIsToldWhatOneWouldBe() {
    assertThatThrownBy(() -> parse("--top=banana"))
        .hasMessage("Invalid value for option '--top': 'banana' is not a whole number, such as 20");
    assertThatThrownBy(() -> parse("--top=1.5"))
        .hasMessage("Invalid value for option '--top': '1.5' is not a whole number, such as 20");
    assertThatThrownBy(() -> parse("--top=99999999999"))
        .hasMessage("Invalid value for option '--top': 99999999999 is out of range");
    for (String word : List.of("banana", "NaN", "1e999", "0x1p3", "")) {
      assertThatThrownBy(() -> parse("--share=" + word))
          .hasMessage(
              "Invalid value for option '--share': '%s' is not a number, such as 0.5", word);
    }
    assertThat(parse("--share=1e-3").read(SHARE)).isEqualTo(1e-3);
  }

  @Test
  void theDotsOfAnExampleAreNoValue() {
    for (String dots : List.of("…", "...", " … ")) {
      assertThatThrownBy(() -> parse("--name", dots).read(NAME))
          .hasMessage("--name '%s': replace the dots with a value", dots);
    }
    assertThat(parse("--name", "a…").read(NAME)).isEqualTo("a…");
  }

  @Test
  void givingThePresetIsStillGiving() {
    assertThat(parse("--top=20").given(TOP)).isTrue();
  }

  @Test
  void theEnvironmentStandsBetweenPresetAndCommandLine() {
    var settings = parse();
    assertThat(settings.read(PLACE)).isEqualTo(System.getenv("PATH"));
    assertThat(settings.typed(PLACE)).isFalse();
    assertThat(settings.given(PLACE)).isTrue();
    var given = parse("--place=there");
    assertThat(given.read(PLACE)).isEqualTo("there");
    assertThat(given.typed(PLACE)).isTrue();
  }

  @Test
  void whatWasTypedAndNeverReadIsCalledOut() {
    var settings = parse("--top=3", "--json");
    assertThat(settings.givenButNeverRead()).containsExactly("--top", "--json");
    settings.read(TOP);
    assertThat(settings.givenButNeverRead()).containsExactly("--json");
  }

  @Test
  void optionsTellTheirValueAndWhetherTheyWereGivenAndRead() {
    var settings = parse("--top=3");
    settings.read(TOP);
    assertThat(settings.asOptions())
        .startsWith(
            new Run.Option("--top", "3", true, true),
            new Run.Option("--json", "false", false, false));
  }

  @Test
  void aVariableOfTheEnvironmentIsGivenOnceItIsRead() {
    var settings = parse();
    String path = System.getenv("PATH");
    assertThat(settings.asOptions()).contains(new Run.Option("--place", path, false, false));
    settings.read(PLACE);
    assertThat(settings.asOptions()).contains(new Run.Option("--place", path, true, true));
  }

  @Test
  void anOptionIsDeclaredAsTheHelpShowsIt() {
    var model = Setting.text("-m, --model MODEL", "a", "which");
    assertThat(model.shortName()).isEqualTo("-m");
    assertThat(model.name()).isEqualTo("--model");
    assertThat(model.label()).isEqualTo("MODEL");
    assertThatThrownBy(() -> Setting.flag("json", "no dashes"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOptionOfAnotherCommandCannotBeRead() {
    var other = Setting.number("--other N", 1, "other");
    assertThatThrownBy(() -> parse().read(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--other is not an option of example");
  }

  @Test
  void theHelpShowsPresetsAndPercentSigns() {
    var help = new CommandLine(new Example()).setUsageHelpWidth(120).getUsageMessage();
    assertThat(help)
        .contains("--top=N", "rows (default: 20)", "100 % a name", "(default: $PATH, else here)");
  }
}
