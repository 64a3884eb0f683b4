package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Begins and ends as a viewer takes them: it complains when they do not match or go back. */
final class Edges {
  private final String label;
  private final List<Object> names = new ArrayList<>();
  private final List<Long> starts = new ArrayList<>();
  private final Map<Object, Long> totals = new TreeMap<>();
  private long now;
  private long outermost;

  Edges(String label) {
    this.label = label;
  }

  void begin(Object name, long at) {
    move(at);
    names.add(name);
    starts.add(at);
  }

  void end(Object name, long at) {
    move(at);
    assertThat(names).as(label).isNotEmpty();
    assertThat(names.removeLast()).as(label).isEqualTo(name);
    long nanos = at - starts.removeLast();
    totals.merge(name, nanos, Long::sum);
    if (names.isEmpty()) outermost += nanos;
  }

  /** Ends the innermost open one. */
  void end(long at) {
    end(names.getLast(), at);
  }

  private void move(long at) {
    assertThat(at).as(label).isGreaterThanOrEqualTo(now);
    now = at;
  }

  /** Time of each name, inner ones included; nothing may be open any more. */
  Map<Object, Long> totals() {
    assertThat(names).as(label).isEmpty();
    return totals;
  }

  /** Time inside outermost slices. */
  long outermost() {
    assertThat(names).as(label).isEmpty();
    return outermost;
  }
}
