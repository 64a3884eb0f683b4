package dev.ridgeline.cli.line;

/** What the program ends with, for scripts; 0 when all is well. */
public final class ExitCode {
  /** The answer is bad: a regression, a failed check. */
  public static final int BAD_ANSWER = 1;

  /** The question was bad: usage, file, model. */
  public static final int BAD_QUESTION = 2;

  /** The program itself failed; not 1, which a script would take for an answer. */
  public static final int DEFECT = 3;

  /** What a shell reports of a program that its reader's leaving (SIGPIPE) ended. */
  public static final int READER_LEFT = 128 + 13;

  private ExitCode() {}
}
