package dev.ridgeline.lab.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * In which order the arms of each triplet run. All six orders come in every six triplets, shuffled
 * by a seed, so that no arm has the better place even when the machine gets steadily slower.
 */
public final class Order {
  private static final List<List<Arm>> ALL =
      List.of(
          List.of(Arm.A, Arm.AGAIN, Arm.B),
          List.of(Arm.A, Arm.B, Arm.AGAIN),
          List.of(Arm.AGAIN, Arm.A, Arm.B),
          List.of(Arm.AGAIN, Arm.B, Arm.A),
          List.of(Arm.B, Arm.A, Arm.AGAIN),
          List.of(Arm.B, Arm.AGAIN, Arm.A));

  private final Random random;
  private final List<List<Arm>> left = new ArrayList<>();

  public Order(long seed) {
    random = new Random(seed);
  }

  /** The order of the next triplet. */
  public List<Arm> next() {
    if (left.isEmpty()) {
      left.addAll(ALL);
      Collections.shuffle(left, random);
    }
    return left.removeLast();
  }
}
