package dev.ridgeline.cli.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * What signals mean while another program runs: they are meant for it. We stay to tell of its run.
 *
 * <p>A terminal sends Ctrl-C to both, so only a request to end (SIGTERM) is passed on. Neither is
 * ignored: the program would inherit that. Once the program is ending, another signal ends it at
 * once; one that handles Ctrl-C itself may get it as often as its user likes.
 */
final class PassedOn implements AutoCloseable {
  private record Replaced(Signal signal, SignalHandler handler) {}

  private static final Signal TERM = new Signal("TERM");

  private final BooleanSupplier ending;
  private final List<Replaced> replaced = new ArrayList<>();

  // Below: guarded by this.
  private Process program;
  private Signal early;
  private int cutShort;

  private PassedOn(BooleanSupplier ending) {
    this.ending = ending;
  }

  /**
   * From now on.
   *
   * @param ending whether the program is ending already
   */
  static PassedOn to(BooleanSupplier ending) {
    PassedOn signals = new PassedOn(ending);
    signals.handle(new Signal("INT"));
    signals.handle(TERM);
    return signals;
  }

  private void handle(Signal signal) {
    try {
      replaced.add(new Replaced(signal, Signal.handle(signal, this::heard)));
    } catch (IllegalArgumentException _) {
      // A JVM under -Xrs leaves signals alone.
    }
  }

  private synchronized void heard(Signal signal) {
    if (program == null) early = signal;
    else if (ending.getAsBoolean()) cutShort(signal);
    else if (signal.equals(TERM)) program.destroy();
  }

  private void cutShort(Signal signal) {
    cutShort = 128 + signal.getNumber();
    program.descendants().forEach(ProcessHandle::destroyForcibly);
    program.destroyForcibly();
  }

  /** Tells which program is meant; it gets no signal that came before it was there. */
  synchronized void program(Process started) {
    program = started;
    if (early != null) started.destroy();
  }

  /** What a shell reports of a program ended by the signal that cut it short; 0 when none did. */
  synchronized int cutShort() {
    return cutShort;
  }

  @Override
  public void close() {
    for (Replaced each : replaced) Signal.handle(each.signal(), each.handler());
  }
}
