package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Waiting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How reports speak of waiting. */
final class WaitWords {
  /** Where no more of the thread time waits than this, tables are those of a program that runs. */
  private static final double SHOWN = 0.01;

  /** Of a scope's waiting, less is not worth a word. */
  private static final double WORTH_A_WORD = 0.1;

  private WaitWords() {}

  /** Whether tables tell running from waiting. */
  static boolean shown(Report report) {
    Node root = report.tree().root();
    return root.threadWaitingNanos() > SHOWN * root.threadNanos();
  }

  /** How long a scope itself waited; NaN for not at all. */
  static double nanos(Node node) {
    long nanos = node.waiting().nanos();
    return nanos == 0 ? Double.NaN : nanos;
  }

  /** What it waited for, the longest first: {@code lock, I/O}. */
  static String of(Node node) {
    Waiting waiting = node.waiting();
    Map<String, Long> kinds = new LinkedHashMap<>();
    kinds.put("lock", waiting.lockNanos());
    kinds.put("parked", waiting.parkedNanos());
    kinds.put("sleep", waiting.sleepNanos());
    kinds.put("I/O", waiting.ioNanos());
    kinds.put("other", waiting.otherNanos());
    List<String> words = new ArrayList<>();
    kinds.entrySet().stream()
        .filter(kind -> kind.getValue() > 0)
        .filter(kind -> kind.getValue() >= WORTH_A_WORD * waiting.nanos())
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .forEach(kind -> words.add(kind.getKey()));
    return String.join(", ", words);
  }
}
