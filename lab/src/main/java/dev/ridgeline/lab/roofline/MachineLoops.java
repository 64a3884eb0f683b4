package dev.ridgeline.lab.roofline;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.kernel.assembled.Assembler;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import dev.ridgeline.tensor.kernel.assembled.Label;
import dev.ridgeline.tensor.kernel.assembled.Mem;
import dev.ridgeline.tensor.kernel.assembled.Tile;
import dev.ridgeline.tensor.kernel.assembled.Vec;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Loops of machine code that do one thing as fast as a core can: nothing but the instruction, on
 * registers, or nothing but loads and stores.
 */
final class MachineLoops {
  /** Bits of a tile: 16 rows of 64 bytes. */
  static final int TILE = 8192;

  private static final int TILE_ROW = 64;

  /** Bytes that say how large tiles are. */
  static final int CONFIGURATION = 64;

  /**
   * Products before they are added: in turns with additions, these would take the units that only
   * products can use (a fifth slower with 512 bits on Zen 4).
   */
  private static final int BATCH = 4;

  /** Sums of 16 bits take so many products of bytes and weights of four bits. */
  private static final int WORDS_FIT = 8;

  /** Vectors that go through memory in a turn. */
  static final int VECTORS = 8;

  private static final int LINE = 64;

  /**
   * How far ahead of loads lines are fetched: beyond the page that a processor fetches ahead in by
   * itself. One core of a Zen 4 reads 35 instead of 32 GB/s; 4 kB win less, and 16 kB nothing. A
   * copy that does so loses a quarter.
   */
  private static final int AHEAD = 8192;

  private MachineLoops() {}

  /** Widths of registers that may be used for a kind of arithmetic, in bits, widest first. */
  static List<Integer> widths(Arithmetic kind, CpuFeatures cpu) {
    boolean wide = cpu.has(Feature.AVX512F);
    boolean narrow = cpu.has(Feature.AVX2);
    return switch (kind) {
      case F32 -> widths(wide, narrow && cpu.has(Feature.FMA));
      case INT8 ->
          widths(wide && cpu.has(Feature.AVX512_VNNI), narrow && cpu.has(Feature.AVX_VNNI));
      case BF16 -> widths(wide && cpu.has(Feature.AVX512_BF16), false);
      case INT8_WORDS, INT8_NIBBLES -> widths(wide && cpu.has(Feature.AVX512BW), narrow);
      case AMX_INT8 -> cpu.has(Feature.AMX_INT8) ? List.of(TILE) : List.of();
      case AMX_BF16 -> cpu.has(Feature.AMX_BF16) ? List.of(TILE) : List.of();
    };
  }

  private static List<Integer> widths(boolean wide, boolean narrow) {
    if (wide) return narrow ? List.of(512, 256) : List.of(512);
    return narrow ? List.of(256) : List.of();
  }

  /** Widest registers of all, in bits. */
  static int bits(CpuFeatures cpu) {
    if (cpu.has(Feature.AVX512F)) return 512;
    return cpu.has(Feature.AVX2, Feature.FMA) ? 256 : 0;
  }

  /**
   * Sums at once: a processor that begins two a cycle and needs five cycles is kept busy by ten.
   * Where products are added by an instruction of its own, which takes one cycle, fewer do. Tiles
   * are eight, half of them sums.
   */
  static int sums(Arithmetic kind) {
    return switch (kind) {
      case F32, INT8, BF16 -> 12;
      case INT8_WORDS -> 8;
      case INT8_NIBBLES -> 4;
      case AMX_INT8, AMX_BF16 -> 4;
    };
  }

  /** How often each sum is added to in a turn. */
  static int unroll(Arithmetic kind) {
    return switch (kind) {
      case F32, INT8, BF16, INT8_WORDS -> 2;
      case INT8_NIBBLES -> WORDS_FIT;
      case AMX_INT8, AMX_BF16 -> 1;
    };
  }

  /** Operations of a turn; a multiplication and an addition are two. */
  static double operations(Arithmetic kind, int bits) {
    int products =
        switch (kind) {
          case F32 -> bits / 32;
          case INT8, INT8_NIBBLES -> bits / 8;
          case BF16, INT8_WORDS -> bits / 16;
          // Each of 16 × 16 results is a row of one tile times a column of another.
          case AMX_INT8 -> 16 * bits / 8;
          case AMX_BF16 -> 16 * bits / 16;
        };
    return 2.0 * products * sums(kind) * unroll(kind);
  }

  /** Bytes that {@link #compute} reads. */
  static int inputBytes(int bits) {
    return bits == TILE ? CONFIGURATION + 4 * TILE / 8 : 3 * bits / 8;
  }

  /**
   * {@code void f(in, sums, long turns)}: each of the sums becomes the product of two vectors,
   * added up as often as there are turns. The input is both of them and a vector of 16-bit ones;
   * for tiles it is their configuration, two tiles of rows and two of columns.
   */
  static byte[] compute(Arithmetic kind, int bits) {
    return bits == TILE ? tiles(kind) : vectors(kind, bits);
  }

  private static byte[] vectors(Arithmetic kind, int bits) {
    var code = new Assembler();
    int sums = sums(kind);
    Vec a = new Vec(0, bits);
    Vec b = new Vec(1, bits);
    code.vmovups(a, Mem.at(RDI));
    code.vmovups(b, Mem.at(RDI, a.bytes()));
    for (int i = 0; i < sums; i++) code.vpxor(sum(i, bits), sum(i, bits), sum(i, bits));
    if (kind == Arithmetic.INT8_NIBBLES) code.vmovups(ones(bits), Mem.at(RDI, 2 * a.bytes()));
    Label turn = code.here();
    for (int i = 0; i < sums * unroll(kind); i++) {
      Vec sum = sum(i % sums, bits);
      switch (kind) {
        case F32 -> code.vfmadd231ps(sum, a, b);
        case INT8 -> code.vpdpbusd(sum, a, b);
        case BF16 -> code.vdpbf16ps(sum, a, b);
        case INT8_WORDS -> {
          code.vpmaddwd(product(i, bits), a, b);
          for (int j = i - BATCH + 1; i % BATCH == BATCH - 1 && j <= i; j++) {
            code.vpaddd(sum(j % sums, bits), sum(j % sums, bits), product(j, bits));
          }
        }
        case INT8_NIBBLES -> nibbles(code, i, a, b);
        case AMX_INT8, AMX_BF16 -> throw new IllegalArgumentException(kind + " has tiles");
      }
    }
    code.dec(RDX);
    code.jnz(turn);
    for (int i = 0; i < sums; i++) code.vmovups(Mem.at(RSI, i * a.bytes()), sum(i, bits));
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** Sums of 16 bits, which the last of eight adds to those of 32. */
  private static void nibbles(Assembler code, int i, Vec a, Vec b) {
    int bits = a.bits();
    int sums = sums(Arithmetic.INT8_NIBBLES);
    boolean first = i < sums;
    code.vpmaddubsw(first ? words(i, bits) : product(i, bits), a, b);
    if (first || i % BATCH < BATCH - 1) return;
    for (int j = i - BATCH + 1; j <= i; j++) {
      code.vpaddw(words(j, bits), words(j, bits), product(j, bits));
    }
    if (i < sums * WORDS_FIT - 1) return;
    for (int j = 0; j < sums; j++) code.vpmaddwd(words(j, bits), words(j, bits), ones(bits));
    for (int j = 0; j < sums; j++) code.vpaddd(sum(j, bits), sum(j, bits), words(j, bits));
  }

  private static Vec words(int index, int bits) {
    int sums = sums(Arithmetic.INT8_NIBBLES);
    return sum(sums + index % sums, bits);
  }

  private static Vec ones(int bits) {
    return new Vec(11, bits);
  }

  private static Vec product(int index, int bits) {
    return new Vec(12 + index % BATCH, bits);
  }

  private static Vec sum(int index, int bits) {
    return new Vec(2 + index, bits);
  }

  /** Two tiles of rows times two of columns, all of them loaded in each turn. */
  private static byte[] tiles(Arithmetic kind) {
    var code = new Assembler();
    int size = TILE / 8;
    code.ldtilecfg(Mem.at(RDI));
    code.mov32(RAX, TILE_ROW);
    for (int i = 0; i < 4; i++) code.tilezero(new Tile(i));
    Label turn = code.here();
    for (int i = 0; i < 4; i++) {
      code.tileloadd(new Tile(4 + i), Mem.at(RDI, RAX, 1, CONFIGURATION + i * size));
    }
    for (int i = 0; i < 4; i++) {
      Tile rows = new Tile(4 + i / 2);
      Tile columns = new Tile(6 + i % 2);
      if (kind == Arithmetic.AMX_INT8) code.tdpbsud(new Tile(i), rows, columns);
      else code.tdpbf16ps(new Tile(i), rows, columns);
    }
    code.dec(RDX);
    code.jnz(turn);
    for (int i = 0; i < 4; i++) code.tilestored(Mem.at(RSI, RAX, 1, i * size), new Tile(i));
    code.tilerelease();
    code.ret();
    return code.code();
  }

  /** Writes what {@code ldtilecfg} reads: eight tiles of 16 rows of 64 bytes. */
  static void configure(MemorySegment in) {
    in.asSlice(0, CONFIGURATION).fill((byte) 0);
    in.set(JAVA_BYTE, 0, (byte) 1); // the palette
    for (int i = 0; i < 8; i++) {
      in.set(JAVA_SHORT_UNALIGNED, 16 + 2 * i, (short) TILE_ROW);
      in.set(JAVA_BYTE, 48 + i, (byte) 16);
    }
  }

  /**
   * {@code void f(from, to, long bytes, long times)}: reads from, writes to, or copies, as often as
   * told. Bytes are whole turns. What only writes begins with the {@link Pattern} at {@code from}.
   *
   * @param past whether it goes about it as for memory that no cache holds: what only reads fetches
   *     lines ahead, and stores go past the caches
   */
  static byte[] stream(Flow flow, boolean past, int bits) {
    var code = new Assembler();
    int size = bits / 8;
    int bytes = VECTORS * size;
    if (flow == Flow.WRITE) {
      for (int i = 0; i <= VECTORS; i++) code.vmovups(new Vec(i, bits), Mem.at(RDI, i * size));
    }
    Label again = code.here();
    code.mov(RAX, RDI);
    code.mov(R8, RSI);
    code.mov(R9, RDX);
    Label turn = code.here();
    for (int i = 0; i < bytes && past && flow == Flow.READ; i += LINE) {
      code.prefetcht1(Mem.at(RAX, AHEAD + i));
    }
    for (int i = 0; i < VECTORS; i++) {
      if (flow != Flow.WRITE) code.vmovups(new Vec(i, bits), Mem.at(RAX, i * size));
    }
    for (int i = 0; i < VECTORS && flow != Flow.READ; i++) {
      Vec from = new Vec(i, bits);
      if (past) code.vmovntps(Mem.at(R8, i * size), from);
      else code.vmovups(Mem.at(R8, i * size), from);
      if (flow == Flow.WRITE) code.vpaddd(from, from, new Vec(VECTORS, bits));
    }
    code.add(RAX, bytes);
    code.add(R8, bytes);
    code.sub(R9, bytes);
    code.jnz(turn);
    code.dec(RCX);
    code.jnz(again);
    if (past) code.sfence();
    code.vzeroupper();
    code.ret();
    return code.code();
  }
}
