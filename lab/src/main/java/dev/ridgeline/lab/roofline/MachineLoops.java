package dev.ridgeline.lab.roofline;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.report.roofline.Ceilings.Arithmetic;
import dev.ridgeline.tensor.kernel.assembled.Assembler;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import dev.ridgeline.tensor.kernel.assembled.Label;
import dev.ridgeline.tensor.kernel.assembled.Mem;
import dev.ridgeline.tensor.kernel.assembled.Vec;

/**
 * Loops of machine code that do one thing as fast as a core can: nothing but the instruction, on
 * registers, or nothing but loads and stores.
 */
final class MachineLoops {
  /**
   * Sums at once: a processor that begins two a cycle and needs five cycles is kept busy by ten.
   */
  static final int SUMS = 12;

  /** How often each sum is added to in a turn. */
  static final int UNROLL = 2;

  /** Vectors that go through memory in a turn. */
  static final int VECTORS = 8;

  private MachineLoops() {}

  /**
   * Widest registers that may be used for a kind of arithmetic, in bits; 0 where there are none.
   */
  static int bits(Arithmetic kind, CpuFeatures cpu) {
    return switch (kind) {
      case F32 -> bits(cpu);
      case INT8 ->
          cpu.has(Feature.AVX512F, Feature.AVX512_VNNI)
              ? 512
              : cpu.has(Feature.AVX2, Feature.AVX_VNNI) ? 256 : 0;
      case BF16 -> cpu.has(Feature.AVX512F, Feature.AVX512_BF16) ? 512 : 0;
    };
  }

  /** Widest registers of all, in bits. */
  static int bits(CpuFeatures cpu) {
    if (cpu.has(Feature.AVX512F)) return 512;
    return cpu.has(Feature.AVX2, Feature.FMA) ? 256 : 0;
  }

  /** Operations of a turn; a multiplication and an addition are two. */
  static double operations(Arithmetic kind, int bits) {
    int products =
        switch (kind) {
          case F32 -> bits / 32;
          case INT8 -> bits / 8;
          case BF16 -> bits / 16;
        };
    return 2.0 * products * SUMS * UNROLL;
  }

  /**
   * {@code void f(two vectors, sums, long turns)}: each of the sums becomes the product of the
   * vectors, added up as often as there are turns.
   */
  static byte[] compute(Arithmetic kind, int bits) {
    var code = new Assembler();
    Vec a = new Vec(0, bits);
    Vec b = new Vec(1, bits);
    code.vmovups(a, Mem.at(RDI));
    code.vmovups(b, Mem.at(RDI, a.bytes()));
    for (int i = 0; i < SUMS; i++) code.vpxor(sum(i, bits), sum(i, bits), sum(i, bits));
    Label turn = code.here();
    for (int i = 0; i < SUMS * UNROLL; i++) {
      Vec sum = sum(i % SUMS, bits);
      switch (kind) {
        case F32 -> code.vfmadd231ps(sum, a, b);
        case INT8 -> code.vpdpbusd(sum, a, b);
        case BF16 -> code.vdpbf16ps(sum, a, b);
      }
    }
    code.dec(RDX);
    code.jnz(turn);
    for (int i = 0; i < SUMS; i++) code.vmovups(Mem.at(RSI, i * a.bytes()), sum(i, bits));
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private static Vec sum(int index, int bits) {
    return new Vec(2 + index, bits);
  }

  /**
   * {@code void f(from, to, long bytes, long times)}: reads from, writes to, or copies, as often as
   * told. Bytes are whole turns.
   *
   * @param past whether stores go past the caches
   */
  static byte[] stream(Flow flow, boolean past, int bits) {
    var code = new Assembler();
    int size = bits / 8;
    Vec zero = new Vec(0, bits);
    code.vpxor(zero, zero, zero);
    Label again = code.here();
    code.mov(RAX, RDI);
    code.mov(R8, RSI);
    code.mov(R9, RDX);
    Label turn = code.here();
    for (int i = 0; i < VECTORS; i++) {
      if (flow != Flow.WRITE) code.vmovups(new Vec(i, bits), Mem.at(RAX, i * size));
    }
    for (int i = 0; i < VECTORS; i++) {
      if (flow == Flow.READ) break;
      Vec from = flow == Flow.COPY ? new Vec(i, bits) : zero;
      if (past) code.vmovntps(Mem.at(R8, i * size), from);
      else code.vmovups(Mem.at(R8, i * size), from);
    }
    code.add(RAX, VECTORS * size);
    code.add(R8, VECTORS * size);
    code.sub(R9, VECTORS * size);
    code.jnz(turn);
    code.dec(RCX);
    code.jnz(again);
    if (past) code.sfence();
    code.vzeroupper();
    code.ret();
    return code.code();
  }
}
