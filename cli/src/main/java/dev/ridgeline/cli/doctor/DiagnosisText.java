package dev.ridgeline.cli.doctor;

import dev.ridgeline.cli.doctor.Check.Status;
import dev.ridgeline.cli.line.Terminal;
import java.io.PrintWriter;
import java.util.Locale;

/** A diagnosis for people, printed section by section while the doctor works. */
record DiagnosisText(PrintWriter out, Terminal terminal) {
  private static final int LABEL = 16;

  void section(Diagnosis.Section section) {
    out.println(bold(section.topic()));
    section.checks().forEach(this::check);
    out.println();
    out.flush();
  }

  void summary(Diagnosis diagnosis) {
    long problems = diagnosis.count(Status.PROBLEM);
    long warnings = diagnosis.count(Status.WARNING);
    out.printf(
        Locale.ROOT,
        "%s, %s; examined in %.1f s%n",
        count(problems, "problem"),
        count(warnings, "warning"),
        diagnosis.nanos() / 1e9);
  }

  private void check(Check check) {
    String mark = colour(check.status(), check.status().mark);
    String label = check.label() + " ".repeat(Math.max(1, LABEL - check.label().length()));
    out.println("  " + mark + " " + label + check.text());
    if (check.fix() != null) {
      String arrow = check.status() == Status.NOTE ? "to get it: " : "fix: ";
      out.println(" ".repeat(LABEL + 4) + arrow + check.fix());
    }
  }

  private static String count(long n, String what) {
    return (n == 0 ? "no" : Long.toString(n)) + " " + what + (n == 1 ? "" : "s");
  }

  private String bold(String text) {
    return terminal.colours() ? "\033[1m" + text + "\033[0m" : text;
  }

  private String colour(Status status, String text) {
    if (!terminal.colours()) return text;
    int code =
        switch (status) {
          case OK -> 32;
          case NOTE -> 90;
          case WARNING -> 33;
          case PROBLEM -> 31;
        };
    return "\033[" + code + "m" + text + "\033[0m";
  }
}
