package dev.ridgeline.cli;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.workload.AsProfile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What a command, run in this process, left behind; each command in it starts. */
record Answer(int code, String out, String err) {

  static Answer of(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    var line =
        Main.commandLine(new Terminal(false, false, false, 100))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) words[i] = args[i].toString();
    Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    int code = Main.run(line, words);
    line.getOut().flush();
    line.getErr().flush();
    if (code < ExitCode.BAD_QUESTION) StartedCommands.started(List.of(AsProfile.orProfile(words)));
    StringBuilder printed = new StringBuilder().append(out).append('\n').append(err).append('\n');
    int runs = List.of(words).indexOf("--runs");
    if (runs >= 0 && runs + 1 < words.length) {
      printed.append(PrintedFiles.below(Path.of(words[runs + 1]), began));
    }
    StartedCommands.check(printed.toString(), StartedCommands::rehearse);
    return new Answer(code, out.toString(), err.toString());
  }
}
