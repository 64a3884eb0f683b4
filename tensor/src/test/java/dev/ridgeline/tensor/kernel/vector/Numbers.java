package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Native memory full of random numbers, until it is closed. */
final class Numbers implements AutoCloseable {
  private final Arena arena = Arena.ofConfined();
  final Random random;

  Numbers(long seed) {
    random = new Random(seed);
  }

  /** Numbers that nobody wrote: reading one by mistake shows. */
  long empty(int count) {
    long address = arena.allocate(4L * count + 4, Memory.ALIGNMENT).address();
    for (int i = 0; i <= count; i++) set(address, i, Float.NaN);
    return address;
  }

  long bytes(long count) {
    return arena.allocate(count, Memory.ALIGNMENT).address();
  }

  long filled(int count) {
    long address = empty(count);
    for (int i = 0; i < count; i++) set(address, i, (float) random.nextGaussian());
    return address;
  }

  long of(float... values) {
    long address = empty(values.length);
    for (int i = 0; i < values.length; i++) set(address, i, values[i]);
    return address;
  }

  long integers(int... values) {
    long address = bytes(4L * values.length);
    for (int i = 0; i < values.length; i++)
      ALL.set(ValueLayout.JAVA_INT, address + 4L * i, values[i]);
    return address;
  }

  /** Rows as a file has them. */
  long stored(TensorType type, int outputs, int inputs) {
    long numbers = filled(outputs * inputs);
    long bytes = type.bytes((long) outputs * inputs);
    long stored = bytes(bytes);
    if (!type.writable()) RandomBlocks.fill(type, stored, bytes, random);
    else Quantizer.quantize(type, numbers, outputs, inputs, stored);
    return stored;
  }

  static float get(long address, long index) {
    return ALL.get(ValueLayout.JAVA_FLOAT, address + 4 * index);
  }

  static void set(long address, long index, float value) {
    ALL.set(ValueLayout.JAVA_FLOAT, address + 4 * index, value);
  }

  static void setShort(long address, long index, short value) {
    ALL.set(ValueLayout.JAVA_SHORT, address + 2 * index, value);
  }

  static float[] read(long address, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) values[i] = get(address, i);
    return values;
  }

  static int panels(int outputs) {
    return (outputs + 31) / 32;
  }

  @Override
  public void close() {
    arena.close();
  }
}
