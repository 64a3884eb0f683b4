package dev.ridgeline.model.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A line of a resource about characters, read without garbage because it is read at each start: a
 * name, then {@code 41-5a>61} or {@code 1f1>44+5a}, all of it hexadecimal.
 */
final class Facts {
  private final String line;
  private int at;
  int from;
  int to;
  int first;
  int second;
  int third;

  private Facts(String line) {
    this.line = line;
    int end = line.indexOf(' ');
    at = end < 0 ? line.length() : end;
  }

  /** The lines of a resource. */
  static List<Facts> read(String resource) {
    try (InputStream in = Facts.class.getResourceAsStream(resource)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      List<Facts> lines = new ArrayList<>();
      for (String line : text.split("\n")) lines.add(new Facts(line));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return line.substring(0, at);
  }

  /** Goes to the next character, or run of them, with what it becomes; false at the end. */
  boolean next() {
    if (at == line.length()) return false;
    from = number();
    to = at('-') ? number() : from;
    first = at('>') ? number() : -1;
    second = at('+') ? number() : -1;
    third = at('+') ? number() : -1;
    return true;
  }

  private boolean at(char sign) {
    return at < line.length() && line.charAt(at) == sign;
  }

  /** The number after the sign that stands here. */
  private int number() {
    int value = 0;
    while (++at < line.length()) {
      int digit = Character.digit(line.charAt(at), 16);
      if (digit < 0) break;
      value = value << 4 | digit;
    }
    return value;
  }
}
