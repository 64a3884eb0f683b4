package dev.ridgeline.bench;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a benchmark was asked for.
 *
 * @param rounds in which everything has a turn
 * @param quick whether it is to run at all and its times mean nothing
 * @param json where results go for a program, or null
 * @param rest what are no options
 */
public record Options(int rounds, boolean quick, Path json, List<String> rest) {
  private static final int QUICK_ROUNDS = 2;

  /** What the user must mend. */
  public static final class BadUsage extends RuntimeException {
    public BadUsage(String message) {
      super(message);
    }
  }

  public static Options of(String[] args, int usualRounds) {
    int rounds = 0;
    boolean quick = false;
    Path json = null;
    List<String> rest = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--quick" -> quick = true;
        case "--rounds" -> rounds = rounds(value(args, ++i));
        case "--json" -> json = file(value(args, ++i));
        case "--tier" -> force(value(args, ++i));
        default -> rest.add(args[i]);
      }
    }
    if (rounds == 0) rounds = quick ? QUICK_ROUNDS : usualRounds;
    return new Options(rounds, quick, json, List.copyOf(rest));
  }

  /** From now on kernels are those of a lower tier; before any of them is there. */
  private static void force(String tier) {
    System.setProperty(AssembledKernels.TIER_PROPERTY, tier);
    try {
      AssembledKernels.requireTier();
    } catch (KernelException e) {
      throw new BadUsage(e.getMessage());
    }
  }

  /** The tier that was asked for, or null. */
  public static String forcedTier() {
    return System.getProperty(AssembledKernels.TIER_PROPERTY);
  }

  private static String value(String[] args, int index) {
    if (index < args.length) return args[index];
    throw new BadUsage(args[index - 1] + " needs a value");
  }

  private static int rounds(String word) {
    if (word.matches("[1-9]\\d{0,2}")) return Integer.parseInt(word);
    throw new BadUsage("--rounds %s: a number from 1 to 999".formatted(word));
  }

  private static Path file(String word) {
    Path file = Path.of(word).toAbsolutePath();
    if (Files.isDirectory(file.getParent())) return file;
    throw new BadUsage(file.getParent() + ": no such folder");
  }

  /** Runs a benchmark; what the user must mend is one line and exit code 2. */
  public static void run(String name, Runnable benchmark) {
    try {
      benchmark.run();
    } catch (BadUsage e) {
      System.err.println(name + ": " + e.getMessage());
      System.exit(2);
    }
  }
}
