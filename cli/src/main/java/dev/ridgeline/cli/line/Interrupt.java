package dev.ridgeline.cli.line;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * What Ctrl-C (SIGINT), a request to end (SIGTERM) and a closed terminal (SIGHUP) do while this is
 * open.
 *
 * <p>By {@code sun.misc.Signal}, because a shutdown hook cannot keep the JVM from ending, which a
 * conversation needs whose answer alone is to end.
 */
public final class Interrupt implements AutoCloseable {
  private record Replaced(Signal signal, SignalHandler handler) {}

  private final List<Replaced> replaced = new ArrayList<>();
  private volatile int code;

  private Interrupt() {}

  /**
   * From now on a signal does what the command says; where that knows nothing to do, the program
   * ends as it would without.
   *
   * @param action answers whether it saw to it that the command ends, or goes on, by itself; called
   *     on a thread of its own
   */
  public static Interrupt does(BooleanSupplier action) {
    Interrupt interrupt = new Interrupt();
    interrupt.on(
        _ -> {
          if (!action.getAsBoolean()) System.exit(interrupt.code);
        },
        "INT",
        "TERM",
        "HUP");
    return interrupt;
  }

  /** From now on these signals are told, and do nothing else. */
  public static Interrupt told(Consumer<Signal> listener, String... names) {
    Interrupt interrupt = new Interrupt();
    interrupt.on(listener, names);
    return interrupt;
  }

  private void on(Consumer<Signal> listener, String... names) {
    for (String name : names) {
      Signal signal = new Signal(name);
      try {
        replaced.add(new Replaced(signal, Signal.handle(signal, it -> heard(it, listener))));
      } catch (IllegalArgumentException _) {
        // A JVM under -Xrs leaves signals alone; what nohup ignores stays ignored.
      }
    }
  }

  private void heard(Signal signal, Consumer<Signal> listener) {
    code = code(signal);
    listener.accept(signal);
  }

  /** What a shell reports of a program that a signal ended. */
  public static int code(Signal signal) {
    return 128 + signal.getNumber();
  }

  /** The same of the last signal, 0 when none came. */
  public int code() {
    return code;
  }

  @Override
  public void close() {
    for (Replaced each : replaced) Signal.handle(each.signal(), each.handler());
    replaced.clear();
  }
}
