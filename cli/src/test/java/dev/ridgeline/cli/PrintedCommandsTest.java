package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.cli.line.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import picocli.CommandLine;

/** Whatever command help or docs show can be typed as it stands; answers are checked as well. */
@Execution(CONCURRENT)
class PrintedCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();

  @Test
  void commandsAreFoundInSentencesTablesAndCode() {
    assertThat(
            PrintedCommands.in(
                """
                see ridgeline embed --help); or `ridgeline history 'a b'` now
                  ridgeline report last        that run again
                ./ridgeline ab --b '-x 1' -- embed >out.md
                ridgeline is tested, ridgeline: report it
                """))
        .containsExactly(
            List.of("embed", "--help"),
            List.of("history", "a b"),
            List.of("report", "last"),
            List.of("ab", "--b", "-x 1", "--", "embed"));
  }

  @Test
  void aCommandInAJsonStringEndsWithIt() {
    assertThat(
            PrintedCommands.in(
                """
                { "fix" : "ridgeline roofline", "status" : "ok",
                  "next" : "ridgeline ab --b \\"-x 1\\" -- embed"
                }
                """))
        .containsExactly(List.of("roofline"), List.of("ab", "--b", "-x 1", "--", "embed"));
  }

  @Test
  void aCommandThatCannotBeTypedIsFound() {
    for (String wrong :
        List.of(
            "ridgeline ab --b '…' -- embed",
            "ridgeline ab -- embed --no-such-option",
            "ridgeline ab --b '--no-such-option 1' -- embed",
            "ridgeline report <run>",
            "ridgeline experiment NAME --help",
            "ridgeline history --top banana",
            "ridgeline baseline set a b c")) {
      assertThatThrownBy(() -> PrintedCommands.check(wrong)).as(wrong).isInstanceOf(Error.class);
    }
  }

  @Test
  void aCommandThatNamesWhatIsNotThereDoesNotStart() {
    for (String wrong :
        List.of(
            "next: ridgeline report 20261115T101000Z-not-there",
            "ridgeline compare not-there last",
            "ridgeline inspect not-there.gguf",
            "ridgeline ab --a-rev not-a-revision -- embed",
            "ridgeline ab -- embed -m not-there.gguf",
            "ridgeline ab -- train --resume",
            "ridgeline cache clear not-there")) {
      assertThatThrownBy(() -> StartedCommands.check(wrong, StartedCommands::rehearse))
          .as(wrong)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("does not start as printed");
    }
  }

  @Test
  void aRehearsedCommandEndsBeforeItsWork() {
    for (String right : List.of("roofline --replace", "ab -- embed", "profile", "tune", "doctor")) {
      Typed typed = StartedCommands.rehearse(List.of(right.split(" ")));
      assertThat(typed).as(right).isEqualTo(new Typed(0, "", ""));
    }
  }

  @Test
  void aPageIsReadAsItsReaderSeesIt() {
    String page =
        """
        <html><style>ridgeline nothing</style><script>"ridgeline code"</script>
        <script type="application/json" id="x">{"a":["ridgeline report 'a b'"]}</script>
        <dt>Command</dt><dd>ridgeline ab --b &quot;-x 1&quot; -- embed</dd>
        <p>see <code>ridgeline history a &amp;</code>, or not</p></html>
        """;
    assertThat(PrintedCommands.in(PrintedFiles.shown(page)))
        .containsExactly(
            List.of("report", "a b"),
            List.of("ab", "--b", "-x 1", "--", "embed"),
            List.of("history", "a"));
  }

  @Test
  void everyHelpTextShowsCommandsThatCanBeTyped() {
    List<CommandLine> commands = new ArrayList<>();
    collect(Main.commandLine(new Terminal(false, false, false, 200)), commands);
    assertThat(commands).hasSizeGreaterThan(20);
    for (CommandLine command : commands) PrintedCommands.check(command.getUsageMessage());
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> collect(each, all));
  }

  @Test
  void everyCommandOfReadmeAndDocsCanBeTyped() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    int commands = 0;
    for (Path page : pages) {
      for (String line : Files.readString(page).replace("\\\n", " ").lines().toList()) {
        if (!line.contains("./ridgeline ")) continue;
        commands += PrintedCommands.in(line).size();
        PrintedCommands.check(line);
      }
    }
    assertThat(commands).isGreaterThan(80);
  }
}
