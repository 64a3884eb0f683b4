package dev.ridgeline.lab.trial;

/** The sides of a session; A runs twice, because what differs between the two is noise. */
public enum Arm {
  A("A"),
  AGAIN("A-again"),
  B("B");

  private final String word;

  Arm(String word) {
    this.word = word;
  }

  /** The one that a record calls so; another word is an IllegalArgumentException. */
  static Arm of(String word) {
    for (Arm arm : values()) if (arm.word.equals(word)) return arm;
    throw new IllegalArgumentException("no arm '" + word + "'");
  }

  /** Name in the record, and of the folder with its trials. */
  public String word() {
    return word;
  }

  /** Whether it runs what B runs. */
  public boolean isB() {
    return this == B;
  }
}
