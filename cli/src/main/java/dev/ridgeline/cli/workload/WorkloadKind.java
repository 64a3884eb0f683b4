package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import java.io.IOException;
import java.util.List;

/**
 * A kind of workload: its name on the command line, its options, and how one is made from them.
 *
 * @param name as typed: {@code kernels}
 * @param words what may be typed after it, as help says it
 * @param summary what it does, in a sentence
 * @param settings the options it reads
 * @param length the option that says how long to measure, which trials are cut short by
 * @param lengths every option that says so in another way: where one is given, it counts
 * @param maker makes one
 */
public record WorkloadKind(
    String name,
    String words,
    String summary,
    List<Setting<?>> settings,
    String length,
    List<String> lengths,
    Maker maker) {

  /** Whether all of these are names of its options. */
  public boolean knows(List<String> names) {
    return settings.stream().map(Setting::name).toList().containsAll(names);
  }

  /** Makes workloads. */
  @FunctionalInterface
  public interface Maker {
    /**
     * What the options ask for; what is wrong with them is a {@link
     * dev.ridgeline.cli.line.Problem}.
     *
     * @param words what stands behind the workload's name
     */
    Workload make(Settings settings, List<String> words, Progress progress) throws IOException;
  }
}
