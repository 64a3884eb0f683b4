package dev.ridgeline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** How commands end. */
class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Command(name = "fails")
  private record Failing(Throwable failure) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      switch (failure) {
        case Error e -> throw e;
        case Exception e -> throw e;
        default -> throw new AssertionError(failure);
      }
    }
  }

  @Command(name = "answers")
  private record Answering(int code) implements Callable<Integer> {
    @Override
    public Integer call() {
      return code;
    }
  }

  @Test
  void theCommandChoosesTheExitCode() {
    assertThat(run(new Answering(0), "answers")).isZero();
    assertThat(run(new Answering(1), "answers")).isEqualTo(ExitCode.BAD_ANSWER);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aProblemIsOneLineAndTheQuestionWasBad() {
    assertThat(fail(new Problem("no model\n  called x"))).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(err.toString()).isEqualTo("ridgeline: no model; called x\n");
  }

  @Test
  void aFileThatIsCutShortWhileItIsReadIsNoDefect(@TempDir Path folder) throws IOException {
    Path path = Files.write(folder.resolve("model"), new byte[1 << 20]);
    try (FileChannel file = FileChannel.open(path, READ, WRITE)) {
      MappedByteBuffer mapped = file.map(MapMode.READ_ONLY, 0, 1 << 20);
      file.truncate(0);
      assertThatThrownBy(() -> mapped.get(1 << 19))
          .satisfies(e -> assertThat(fail(e)).isEqualTo(ExitCode.BAD_QUESTION));
    }
    assertThat(err.toString()).hasLineCount(1).contains("was cut short").doesNotContain("defect");
  }

  @Test
  void whatFailsBeforeAnythingWorksIsOneLine() {
    PrintStream errors = System.err;
    var bytes = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(bytes, true, UTF_8));
      assertThat(Main.hardlyStarted(new OutOfMemoryError("x"))).isEqualTo(ExitCode.BAD_QUESTION);
      assertThat(Main.hardlyStarted(new VerifyError("x"))).isEqualTo(ExitCode.BAD_QUESTION);
      // What the JDK says when it cannot open a file of its own.
      var cause = new FileNotFoundException("/jdk/lib/tzdb.dat (Too many open files)");
      assertThat(Main.hardlyStarted(new Error(cause))).isEqualTo(ExitCode.BAD_QUESTION);
      assertThat(Main.hardlyStarted(new StackOverflowError())).isEqualTo(ExitCode.DEFECT);
    } finally {
      System.setErr(errors);
    }
    assertThat(bytes.toString(UTF_8).lines().toList())
        .hasSize(4)
        .allMatch(line -> line.startsWith("ridgeline: "));
  }

  @Test
  void whatTheUserGaveCannotSteerTheTerminal() {
    assertThat(run(new Answering(0), "a\u001b[31m\nb")).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(err.toString())
        .startsWith("ridgeline: unknown command 'a\\u001b[31m\\nb'")
        .hasLineCount(1);
    assertThat(run(new Answering(0), "x".repeat(100_000))).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(err.toString()).hasLineCount(2).contains("x…x").hasSizeLessThan(1_000);
  }

  @Test
  void failuresOfFilesAreTheUsersToMend() {
    assertThat(fail(new NoSuchFileException("a.json"))).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(fail(new UncheckedIOException(new AccessDeniedException("b")))).isEqualTo(2);
    assertThat(fail(new FileSystemException("c", null, "No space left on device"))).isEqualTo(2);
    assertThat(fail(new FileNotFoundException("d (Is a directory)"))).isEqualTo(2);
    assertThat(fail(new IOException())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            """
            ridgeline: no such file: a.json
            ridgeline: no permission: b
            ridgeline: No space left on device: c
            ridgeline: d (Is a directory)
            ridgeline: java.io.IOException
            """);
  }

  @Test
  void tooSmallAHeapSaysHowToGiveMore() {
    assertThat(fail(new OutOfMemoryError("Java heap space"))).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(err.toString()).hasLineCount(1).contains("RIDGELINE_JVM_OPTS=-Xmx");
  }

  @Test
  void aDefectIsNeitherAnAnswerNorTheUsersFault() {
    assertThat(fail(new IllegalStateException("oops"))).isEqualTo(ExitCode.DEFECT);
    assertThat(fail(new StackOverflowError())).isEqualTo(ExitCode.DEFECT);
    assertThat(err.toString())
        .hasLineCount(2)
        .contains("a defect of ridgeline: java.lang.IllegalStateException: oops (--verbose");
  }

  @Test
  void verboseAddsTheStack() {
    run(new Failing(new IllegalStateException("oops")), "fails", "--verbose");
    assertThat(err.toString()).contains("\tat ", "IllegalStateException");
  }

  @Test
  void theTrainingRunIsHiddenAndSilent() {
    assertThat(run(new Answering(0), "--help")).isZero();
    assertThat(out.toString()).contains("doctor").doesNotContain("warm-start");
  }

  @Test
  void helpIsACommandToo() {
    assertThat(run(new Answering(1), "help")).isZero();
    assertThat(out.toString()).contains("Usage: ridgeline ", "doctor");
    out.getBuffer().setLength(0);
    assertThat(run(new Answering(1), "help", "doctor")).isZero();
    assertThat(out.toString()).startsWith("Usage: ridgeline doctor");
    assertThat(run(new Answering(1), "help", "docter")).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(run(new Answering(1), "docter", "--help")).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("unknown command 'docter'; did you mean doctor"));
  }

  @Test
  void helpBreaksNoAddressAndNoPath() {
    for (int width : new int[] {80, 100, 110}) {
      out.getBuffer().setLength(0);
      var line = Main.commandLine(new Terminal(false, false, false, width));
      line.setOut(new PrintWriter(out));
      assertThat(Main.run(line, "pull", "--help")).isZero();
      assertThat(out.toString())
          .contains("https://huggingface.co)", "/ridgeline)")
          .doesNotContain("\uFEFF");
      assertThat(out.toString().lines()).noneMatch(text -> text.endsWith("/"));
    }
  }

  private int fail(Throwable failure) {
    return run(new Failing(failure), "fails");
  }

  private int run(Object command, String... arguments) {
    var line = Main.commandLine(new Terminal(false, false, false, 100));
    String name = command.getClass().getAnnotation(Command.class).name();
    line.addSubcommand(name, command);
    line.getSubcommands().get(name).setErr(new PrintWriter(err));
    return Main.run(
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)), arguments);
  }
}
