package dev.ridgeline.lab.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How busy the machine is and how much of that is ours, from {@code /proc}; nothing elsewhere.
 *
 * @param total processor time that has passed, over all processors, in ticks
 * @param busy the part in which anything ran
 * @param steal the part that the hypervisor gave to others
 * @param own what this process and its ended children have used
 */
public record MachineLoad(long total, long busy, long steal, long own) {
  private static final MachineLoad UNKNOWN = new MachineLoad(-1, 0, 0, 0);

  /** As of now. */
  public static MachineLoad now() {
    return read(Path.of("/proc"));
  }

  static MachineLoad read(Path proc) {
    try {
      String machine = Files.readString(proc.resolve("stat"));
      String self = Files.readString(proc.resolve("self/stat"));
      return of(machine, self);
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException _) {
      return UNKNOWN;
    }
  }

  private static MachineLoad of(String machine, String self) {
    // cpu user nice system idle iowait irq softirq steal …
    String[] ticks = machine.lines().findFirst().orElse("").strip().split("\\s+");
    long total = 0;
    for (int i = 1; i <= 8; i++) total += Long.parseLong(ticks[i]);
    long idle = Long.parseLong(ticks[4]) + Long.parseLong(ticks[5]);
    long steal = Long.parseLong(ticks[8]);
    // Behind the name in parentheses, which may hold anything; utime is field 14, cstime 17.
    String[] mine = self.substring(self.lastIndexOf(')') + 2).split(" ");
    long own = 0;
    for (int field = 14; field <= 17; field++) own += Long.parseLong(mine[field - 3]);
    return new MachineLoad(total, total - idle - steal, steal, own);
  }

  /** What went on since an earlier reading. */
  public Disturbance since(MachineLoad before) {
    double passed = total - before.total;
    if (total < 0 || before.total < 0 || passed <= 0) return Disturbance.UNKNOWN;
    double others = (busy - before.busy) - (own - before.own);
    return new Disturbance((steal - before.steal) / passed, Math.max(0, others / passed));
  }
}
