package dev.ridgeline.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command, run in this process, left behind; each command in it can be typed. */
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
    int code = Main.run(line, words);
    line.getOut().flush();
    line.getErr().flush();
    PrintedCommands.check(out + "\n" + err);
    return new Answer(code, out.toString(), err.toString());
  }
}
