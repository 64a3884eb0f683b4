package dev.ridgeline.lab.bisect;

/**
 * A commit, as people know it.
 *
 * @param hash in full
 * @param author who wrote it
 * @param date when, as git writes it
 * @param subject its first line
 */
public record Commit(String hash, String author, String date, String subject) {
  private static final int SHORT = 12;

  /** The beginning of its hash, which is enough to name it. */
  public String name() {
    return hash.substring(0, Math.min(SHORT, hash.length()));
  }

  /** Its name and what it says it does. */
  public String title() {
    return name() + " " + subject;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Commit commit && commit.hash.equals(hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }
}
