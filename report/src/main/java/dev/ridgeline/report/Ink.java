package dev.ridgeline.report;

/** Emphasis on a terminal; none of it carries meaning that the text does not. */
enum Ink {
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private final String code;

  Ink(String code) {
    this.code = code;
  }

  String on(String text, boolean colour) {
    return colour && !text.isBlank() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
