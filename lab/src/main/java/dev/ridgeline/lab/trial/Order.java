package dev.ridgeline.lab.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * In which order the arms of each round run, by a seed. Of few arms all orders come equally often
 * (of three all six in every six rounds), so that none has the better place even when the machine
 * gets steadily slower; of more, each order is drawn by itself.
 */
public final class Order<T> {
  private static final int FEW = 3;
  private final List<T> arms;
  private final List<List<T>> all = new ArrayList<>();
  private final Random random;
  private final List<List<T>> left = new ArrayList<>();

  public Order(List<T> arms, long seed) {
    this.arms = new ArrayList<>(arms);
    random = new Random(seed);
    if (arms.size() <= FEW) add(List.of(), arms);
  }

  private void add(List<T> begun, List<T> rest) {
    if (rest.isEmpty()) all.add(begun);
    for (T next : rest) {
      List<T> longer = new ArrayList<>(begun);
      longer.add(next);
      add(longer, rest.stream().filter(arm -> arm != next).toList());
    }
  }

  int size() {
    return arms.size();
  }

  /** The order of the next round. */
  public List<T> next() {
    if (all.isEmpty()) {
      List<T> drawn = new ArrayList<>(arms);
      Collections.shuffle(drawn, random);
      return drawn;
    }
    if (left.isEmpty()) {
      left.addAll(all);
      Collections.shuffle(left, random);
    }
    return left.removeLast();
  }
}
