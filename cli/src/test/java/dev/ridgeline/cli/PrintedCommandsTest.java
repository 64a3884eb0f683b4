package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

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
