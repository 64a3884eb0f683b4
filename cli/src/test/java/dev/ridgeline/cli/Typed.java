package dev.ridgeline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/**
 * A command, run in this process, with something to read.
 *
 * @param out all of standard output
 */
record Typed(int code, String out, String err) {

  static Typed of(String input, Object... args) {
    InputStream in = System.in;
    PrintStream usual = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
      System.setOut(new PrintStream(out, true, UTF_8));
      Answer answer = Answer.of(args);
      return new Typed(answer.code(), out.toString(UTF_8) + answer.out(), answer.err());
    } finally {
      System.setIn(in);
      System.setOut(usual);
    }
  }
}
