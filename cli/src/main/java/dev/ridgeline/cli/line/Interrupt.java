package dev.ridgeline.cli.line;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * What Ctrl-C (SIGINT), a request to end (SIGTERM) and a closed terminal (SIGHUP) do while this is
 * open: what the command says, and where that knows nothing to do, the program ends as it would
 * without.
 *
 * <p>By {@code sun.misc.Signal}, because a shutdown hook cannot keep the JVM from ending, which a
 * conversation needs whose answer alone is to end.
 */
public final class Interrupt implements AutoCloseable {
  private record Replaced(Signal signal, SignalHandler handler) {}

  private final BooleanSupplier action;
  private final List<Replaced> replaced = new ArrayList<>();
  private volatile int code;

  private Interrupt(BooleanSupplier action) {
    this.action = action;
  }

  /**
   * From now on a signal does this.
   *
   * @param action answers whether it saw to it that the command ends, or goes on, by itself; called
   *     on a thread of its own
   */
  public static Interrupt does(BooleanSupplier action) {
    Interrupt interrupt = new Interrupt(action);
    for (String name : List.of("INT", "TERM", "HUP")) interrupt.handle(new Signal(name));
    return interrupt;
  }

  private void handle(Signal signal) {
    try {
      replaced.add(new Replaced(signal, Signal.handle(signal, this::heard)));
    } catch (IllegalArgumentException _) {
      // A JVM under -Xrs leaves signals alone; what nohup ignores stays ignored.
    }
  }

  private void heard(Signal signal) {
    code = 128 + signal.getNumber();
    if (!action.getAsBoolean()) System.exit(code);
  }

  /** What a shell reports of a program that the last signal ended, 0 when none came. */
  public int code() {
    return code;
  }

  @Override
  public void close() {
    for (Replaced each : replaced) Signal.handle(each.signal(), each.handler());
    replaced.clear();
  }
}
