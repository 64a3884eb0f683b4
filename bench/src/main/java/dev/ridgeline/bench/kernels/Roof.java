package dev.ridgeline.bench.kernels;

import dev.ridgeline.lab.roofline.CeilingsProbe;
import dev.ridgeline.lab.roofline.CeilingsProbe.MemoryStream;
import dev.ridgeline.profiler.Arithmetic;
import java.util.HashMap;
import java.util.Map;

/** Readings of what this machine can do just now. */
final class Roof implements AutoCloseable {
  private final Map<Integer, MemoryStream> readings = new HashMap<>();

  /** Operations a second. */
  double compute(Arithmetic kind, int cores) {
    return CeilingsProbe.once(kind, cores).orElseThrow();
  }

  /** Bytes a second from DRAM, in pages like those of weights. */
  double memory(int cores) {
    return readings.computeIfAbsent(cores, MemoryStream::new).once();
  }

  @Override
  public void close() {
    readings.values().forEach(MemoryStream::close);
  }
}
