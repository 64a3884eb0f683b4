package dev.ridgeline.cli.foreign;

import dev.ridgeline.cli.line.Interrupt;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;

/**
 * What signals mean while another program runs: they are meant for it. We stay to tell of its run.
 *
 * <p>A terminal sends Ctrl-C to both, so only a request to end (SIGTERM) is passed on. Neither is
 * ignored: the program would inherit that. Once the program is ending, another signal ends it at
 * once; one that handles Ctrl-C itself may get it as often as its user likes.
 */
final class PassedOn implements AutoCloseable {
  private final BooleanSupplier ending;
  private final Interrupt signals = Interrupt.told(this::heard, "INT", "TERM");

  // Below: guarded by this.
  private Process program;
  private Signal early;
  private int cutShort;

  /**
   * From now on.
   *
   * @param ending whether the program is ending already
   */
  PassedOn(BooleanSupplier ending) {
    this.ending = ending;
  }

  private synchronized void heard(Signal signal) {
    if (program == null) early = signal;
    else if (ending.getAsBoolean()) cutShort(signal);
    else if (signal.getName().equals("TERM")) program.destroy();
  }

  private void cutShort(Signal signal) {
    cutShort = Interrupt.code(signal);
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
    signals.close();
  }
}
