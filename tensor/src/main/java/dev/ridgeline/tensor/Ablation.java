package dev.ridgeline.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Optimisations that can be switched off, to measure what each is worth: {@code
 * -Dridgeline.ablate=fusion,spinning}. Results stay the same to the bit.
 *
 * <p>Each is asked for once, by a constant of whoever it belongs to, so that it costs nothing; and
 * a run's plan names those that were both switched off and asked for, so that one which had no
 * effect is not believed to have had any.
 */
public enum Ablation {
  /** Keys and values of a text are kept; else the whole of it is read again for each token. */
  KV_CACHE,
  /** Several matrices in one pass over the rows, a sum and its norm in one; else one by one. */
  FUSION,
  /** Tokens of prompts, and of several texts, go through a decoder together; else one by one. */
  BATCHING,
  /** Room for a pass is planned once; else taken for each pass and given back. */
  BUFFER_REUSE,
  /** Large pages are asked for; else refused. */
  LARGE_PAGES,
  /** Idle workers watch for work for a while; else they sleep at once. */
  SPINNING;

  /** The system property that names those to switch off. */
  public static final String PROPERTY = "ridgeline.ablate";

  private static final List<String> GIVEN =
      Arrays.stream(System.getProperty(PROPERTY, "").split(","))
          .map(String::strip)
          .filter(name -> !name.isEmpty())
          .toList();

  private static final Set<Ablation> READ = ConcurrentHashMap.newKeySet();

  /** As typed: {@code kv-cache}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is switched on, as it is unless told otherwise; from now on it counts as read. */
  public boolean on() {
    READ.add(this);
    return !GIVEN.contains(word());
  }

  /** Those that are off and were asked for, or empty. */
  public static String inForce() {
    return Arrays.stream(values())
        .filter(each -> READ.contains(each) && GIVEN.contains(each.word()))
        .map(Ablation::word)
        .collect(Collectors.joining(", "));
  }

  /** Refuses names that are none. */
  public static void check() {
    List<String> known = Arrays.stream(values()).map(Ablation::word).toList();
    for (String name : GIVEN) {
      if (known.contains(name)) continue;
      throw new KernelException(
          "-D%s=%s: there is %s".formatted(PROPERTY, name, String.join(", ", known)));
    }
  }
}
