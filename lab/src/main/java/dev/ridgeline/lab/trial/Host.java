package dev.ridgeline.lab.trial;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What trials need to know of the machine that they run on.
 *
 * @param nanos its clock
 * @param load how busy it is
 */
public record Host(LongSupplier nanos, Supplier<MachineLoad> load) {
  /** This machine. */
  public static final Host HERE = new Host(System::nanoTime, MachineLoad::now);

  /** Seconds since a moment of its clock. */
  public double since(long begin) {
    return (nanos.getAsLong() - begin) / 1e9;
  }
}
