package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;

/** A device that trains, and tensors of random numbers with gaps between their rows. */
final class Trainer implements AutoCloseable {
  /** The reference, vectors alone, and what users get. */
  enum Family {
    SCALAR(new ScalarKernels()),
    VECTOR(new VectorKernels()),
    CHOSEN(KernelChoice.made().kernels());

    private final Kernels kernels;

    Family(Kernels kernels) {
      this.kernels = kernels;
    }
  }

  final Fixture play;
  final Grad grad;

  /** Hands over even the smallest work. */
  Trainer(Family family, int workers, long seed) {
    this(new CpuDevice(family.kernels, Workers.of(workers).partsOf(1), null), seed);
  }

  Trainer(Device device, long seed) {
    this(new Fixture(device, seed));
  }

  Trainer(Fixture play) {
    this.play = play;
    this.grad = new Grad(play.device);
  }

  /** Numbers with others before and behind each row. */
  Tensor strided(int rows, int columns, float... numbers) {
    Tensor view = play.filled(rows, columns + 11).columns(7, 7 + columns);
    play.device.write(view, numbers, 0);
    return view;
  }

  /** The same, of any numbers. */
  Tensor strided(int rows, int columns) {
    return play.filled(rows, columns + 11).columns(7, 7 + columns);
  }

  /** With gaps or without, as chance has it. */
  Tensor any(int rows, int columns) {
    return play.random.nextBoolean() ? strided(rows, columns) : play.filled(rows, columns);
  }

  /** Room for numbers in bf16. */
  Tensor halves(int rows, int columns) {
    return play.keep(play.device.allocate("test", TensorType.BF16, rows, columns));
  }

  double[] read(Tensor tensor) {
    return Slopes.doubles(play.read(tensor));
  }

  @Override
  public void close() {
    play.close();
  }
}
