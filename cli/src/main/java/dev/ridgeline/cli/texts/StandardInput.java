package dev.ridgeline.cli.texts;

import java.io.Console;

/** What standard input is to a command that could read it. */
public final class StandardInput {
  private StandardInput() {}

  /** Whether standard input and output are a terminal: nobody means to type texts into it. */
  public static boolean isTyped() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
