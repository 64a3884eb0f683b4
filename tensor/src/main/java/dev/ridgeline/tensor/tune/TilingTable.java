package dev.ridgeline.tensor.tune;

import dev.ridgeline.tensor.LargePages;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * What {@code tune} found better than the defaults on one machine, JVM and tier, with the evidence.
 *
 * <p>Lines of plain text, since every process reads it at its start: a title, the machine, when,
 * and for each choice its value, what was measured and both blocks' ratios to the default; then a
 * sum over all of it, so that half a table is none.
 *
 * @param machine whose it is
 */
public record TilingTable(String machine, Instant tuned, List<Choice> choices) {
  private static final String TITLE = "ridgeline tiling 1";
  private static final int MOST_BYTES = 1 << 20;

  /**
   * A better value.
   *
   * @param evidence what was measured, in one line
   * @param first times over the default's, in the block that found it
   * @param again the same in a second block, which agreed
   */
  public record Choice(
      Tunable tunable, int value, String evidence, List<Double> first, List<Double> again) {
    public Choice {
      if (evidence.lines().count() > 1) throw new IllegalArgumentException("evidence in one line");
      first = List.copyOf(first);
      again = List.copyOf(again);
    }
  }

  /** Says in a few words why a table cannot be used. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String why) {
      super(why);
    }
  }

  public TilingTable {
    choices = List.copyOf(choices);
  }

  /** What choices depend on, read where somebody asks. */
  public static String machine(Tier tier) {
    return String.join(
        " · ",
        List.of(
            CpuFeatures.brand(),
            CpuFeatures.here().caches().stream()
                .map(c -> c.bytes() / 1024 + " kB")
                .toList()
                .toString(),
            Workers.cpus() + " cores",
            System.getProperty("os.name") + " " + System.getProperty("os.arch"),
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
            "large pages " + LargePages.Setting.here().name().toLowerCase(Locale.ROOT),
            tier == null ? "nothing assembled" : tier.word()));
  }

  /** The file of this machine, JVM and tier in a cache folder; null where no folder has tables. */
  static Path file(Path cache, Tier tier) {
    // Most have none; they need not ask what machine this is.
    return Files.isDirectory(folder(cache)) ? file(cache, machine(tier)) : null;
  }

  private static Path folder(Path cache) {
    return cache.resolve("tiles");
  }

  /** The same by what {@link #machine(Tier)} says. */
  public static Path file(Path cache, String machine) {
    var sum = new CRC32();
    sum.update(machine.getBytes(StandardCharsets.UTF_8));
    // The machine is in the file; its sum only keeps those apart that share a folder.
    return folder(cache).resolve("%08x.txt".formatted(sum.getValue()));
  }

  /** The table in a file, null where there is none. */
  public static TilingTable read(Path file, Tier tier) throws Unusable {
    String text;
    try {
      if (!Files.exists(file)) return null;
      if (Files.size(file) > MOST_BYTES) throw new Unusable("is too large for a table of tiles");
      text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new Unusable("cannot be read (" + e + ")");
    }
    TilingTable table = parse(text, tier);
    if (!table.machine.equals(machine(tier))) throw new Unusable("is of another machine or JVM");
    return table;
  }

  static TilingTable parse(String text, Tier tier) throws Unusable {
    int end = text.lastIndexOf("sum ");
    String whole = end < 0 ? "" : text.substring(0, end);
    if (!whole.startsWith(TITLE + "\n") || !text.substring(end).equals(sum(whole))) {
      throw new Unusable("is not a table of tiles, or is damaged");
    }
    String machine = null;
    Instant tuned = null;
    List<Choice> choices = new ArrayList<>();
    Set<Tunable> known = EnumSet.noneOf(Tunable.class);
    String[] lines = whole.split("\n", -1);
    try {
      for (int i = 1; i < lines.length - 1; i++) {
        String[] words = lines[i].split(" ", 2);
        switch (words[0]) {
          case "machine" -> machine = words[1];
          case "tuned" -> tuned = Instant.parse(words[1]);
          case "choice" -> {
            Choice choice = choice(words[1], lines[++i], lines[++i]);
            if (!choice.tunable.allows(tier, choice.value) || !known.add(choice.tunable)) {
              throw new Unusable("has a choice that is none: " + words[1]);
            }
            choices.add(choice);
          }
          default -> throw new Unusable("has a line '%s'".formatted(words[0]));
        }
      }
    } catch (IllegalArgumentException | DateTimeException | ArrayIndexOutOfBoundsException _) {
      throw new Unusable("is not a table of tiles");
    }
    if (machine == null || tuned == null) throw new Unusable("says neither machine nor time");
    return new TilingTable(machine, tuned, choices);
  }

  private static Choice choice(String line, String first, String again) {
    String[] words = line.split(" ", 3);
    Tunable tunable = Tunable.named(words[0]);
    if (tunable == null) throw new IllegalArgumentException(words[0]);
    return new Choice(
        tunable,
        Integer.parseInt(words[1]),
        words[2],
        ratios("first", first),
        ratios("again", again));
  }

  private static List<Double> ratios(String name, String line) {
    String[] words = line.split(" ");
    if (!words[0].equals(name)) throw new IllegalArgumentException(line);
    return Arrays.stream(words).skip(1).map(Double::valueOf).toList();
  }

  /** What goes into the file. */
  public String text() {
    var text = new StringBuilder(TITLE).append('\n');
    text.append("machine ").append(machine).append('\n');
    text.append("tuned ").append(tuned).append('\n');
    for (Choice each : choices) {
      text.append("choice %s %d %s\n".formatted(each.tunable.word(), each.value, each.evidence));
      append(text, "first", each.first);
      append(text, "again", each.again);
    }
    return text + sum(text.toString());
  }

  private static void append(StringBuilder text, String name, List<Double> ratios) {
    text.append(name);
    for (double ratio : ratios) text.append(String.format(Locale.ROOT, " %.4f", ratio));
    text.append('\n');
  }

  static String sum(String whole) {
    var sum = new CRC32();
    sum.update(whole.getBytes(StandardCharsets.UTF_8));
    return "sum %08x\n".formatted(sum.getValue());
  }

  /** The defaults with these choices. */
  public Tiling tiling(Tier tier) {
    Tiling tiling = Tiling.preset(tier);
    for (Choice each : choices) tiling = tiling.with(each.tunable, each.value);
    return tiling.from(title());
  }

  /** {@code tuned 2026-11-16 (2 choices)}. */
  public String title() {
    String day = tuned.toString().substring(0, 10);
    return "tuned %s (%d %s)"
        .formatted(day, choices.size(), choices.size() == 1 ? "choice" : "choices");
  }
}
