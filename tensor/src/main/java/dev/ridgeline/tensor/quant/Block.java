package dev.ridgeline.tensor.quant;

import dev.ridgeline.tensor.TensorType;

/** One block of a quantized type, between f32 numbers and bytes; made for one thread. */
interface Block {
  /** Makes a block's bytes of its f32 numbers, if the type is {@link TensorType#writable}. */
  default void pack(long numbers, long bytes) {
    throw new UnsupportedOperationException("blocks of this type are only read");
  }

  /** Makes f32 numbers of a block's bytes. */
  void unpack(long bytes, long numbers);

  /** The calling thread's own; made once, since rows are looked up where nothing is allocated. */
  static Block of(TensorType type) {
    Block[] mine = Mine.BLOCKS.get();
    Block block = mine[type.ordinal()];
    return block != null ? block : (mine[type.ordinal()] = make(type));
  }

  /** Holds each thread's blocks. */
  final class Mine {
    private static final ThreadLocal<Block[]> BLOCKS =
        ThreadLocal.withInitial(() -> new Block[TensorType.values().length]);

    private Mine() {}
  }

  private static Block make(TensorType type) {
    return switch (type) {
      case Q8_0 -> new Q8();
      case Q4_0 -> new Centered(4);
      case Q5_0 -> new Centered(5);
      case Q4_1 -> new Shifted(4);
      case Q5_1 -> new Shifted(5);
      case Q4_K -> new ShiftedSuper(4);
      case Q5_K -> new ShiftedSuper(5);
      case Q6_K -> new CenteredSuper();
      case Q2_K -> new TwoBitSuper();
      case Q3_K -> new ThreeBitSuper();
      case IQ4_NL -> new NonLinear();
      case IQ4_XS -> new NonLinearSuper();
      case MXFP4 -> new MicroFloat();
      default -> throw new IllegalArgumentException(type.word() + " has no blocks");
    };
  }
}
