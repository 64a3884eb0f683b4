package dev.ridgeline.lab.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * In which order the arms of each round run. All orders come equally often (of three arms all six
 * in every six rounds), shuffled by a seed, so that no arm has the better place even when the
 * machine gets steadily slower.
 */
public final class Order<T> {
  private final List<List<T>> all = new ArrayList<>();
  private final Random random;
  private final List<List<T>> left = new ArrayList<>();

  public Order(List<T> arms, long seed) {
    random = new Random(seed);
    add(List.of(), arms);
  }

  private void add(List<T> begun, List<T> rest) {
    if (rest.isEmpty()) all.add(begun);
    for (T next : rest) {
      List<T> longer = new ArrayList<>(begun);
      longer.add(next);
      add(longer, rest.stream().filter(arm -> arm != next).toList());
    }
  }

  /** The order of the next round. */
  public List<T> next() {
    if (left.isEmpty()) {
      left.addAll(all);
      Collections.shuffle(left, random);
    }
    return left.removeLast();
  }
}
