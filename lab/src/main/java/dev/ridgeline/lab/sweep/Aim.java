package dev.ridgeline.lab.sweep;

/** What a sweep wants of its arms, and so when it knows enough. */
public enum Aim {
  /** Every arm's ratio to the reference. */
  EACH,

  /** The best arm, which has to prove itself in rounds of its own. */
  WINNER,

  /**
   * Which arms make up the reference: what is sure to within a part of the reference is sure
   * enough, however little the arm itself takes.
   */
  PARTS
}
