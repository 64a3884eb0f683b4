package dev.ridgeline.cli;

/** The {@code ridgeline} command. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.out.println("ridgeline");
  }
}
