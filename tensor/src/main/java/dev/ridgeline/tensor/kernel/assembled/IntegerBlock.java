package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;

/** Emits what an {@link IntegerProduct} does with one block of a panel in one tile. */
final class IntegerBlock {
  private static final int LINE = 4 * Kernels.PANEL;

  private final Assembler code;
  private final PanelForm form;
  private final ByteProducts how;
  private final RowFormat format;
  private final IntegerTile tile;
  private final int rows;

  /** Reads the levels; where rows are few and registers many, with constants in those. */
  private final PanelReader levels;

  /** Whether scales and minima are f32 already. */
  private final boolean widened;

  IntegerBlock(PanelReader levels, ByteProducts how, RowFormat format, IntegerTile tile, int rows) {
    this.code = levels.code();
    this.form = levels.form();
    this.how = how;
    this.format = format;
    this.tile = tile;
    this.rows = rows;
    this.levels = levels;
    this.widened = form.grouped() && !tile.once();
  }

  /** What the exact sums begin with; those of nibbles get it at their end. */
  void begin() {
    if (how == ByteProducts.NIBBLES) return;
    for (int row = 0; row < rows; row++) {
      if (form.zero > 0) code.vpbroadcastd(tile.exact(row, 0), IntegerRows.sums(row));
      else Snippets.zero(code, tile.exact(row, 0));
      for (int part = 1; part < tile.parts(); part++)
        code.vmovaps(tile.exact(row, part), tile.exact(row, 0));
    }
  }

  /** Multiplies a block and adds it to the sums over all blocks. */
  void multiply() {
    for (int quad = 0; quad < form.quads(); quad++) {
      if (tile.few()) quadOfFew(quad);
      else quad(quad);
    }
    if (how == ByteProducts.NIBBLES) widen();
    if (widened) loadScales();
    else scale();
    for (int row = 0; row < rows; row++) add(row);
  }

  /** Four inputs: the weights of all parts, then each row. */
  private void quad(int quad) {
    for (int part = 0; part < tile.parts(); part++) levels(quad, part);
    switch (how) {
      case DOT -> {
        for (int row = 0; row < rows; row++) {
          Operand four = IntegerRows.quants(row).plus(4 * quad);
          if (tile.wide()) four = ((Mem) four).each();
          else code.vpbroadcastd(tile.each(row, 0), four);
          for (int part = 0; part < tile.parts(); part++) {
            code.vpdpbusd(
                tile.exact(row, part), tile.weights(part), tile.wide() ? four : tile.each(row, 0));
          }
        }
      }
      case NIBBLES -> {
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(tile.each(row, 0), IntegerRows.quants(row).plus(4 * quad));
          products(row, quad == 0, Assembler::vpmaddubsw, Assembler::vpaddw);
        }
      }
      case WORDS -> {
        for (int part = 0; part < tile.parts(); part++) evenWords(part);
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(tile.each(row, 0), IntegerRows.quants(row).plus(8 * quad));
          products(row, false, this::even, Assembler::vpaddd);
        }
        for (int part = 0; part < tile.parts(); part++) oddWords(part);
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(tile.each(row, 0), IntegerRows.quants(row).plus(8 * quad + 4));
          products(row, false, Assembler::vpmaddwd, Assembler::vpaddd);
        }
      }
    }
  }

  /**
   * Products of a row with the weights of two parts, then their sums: a processor does them faster
   * in this order than in turns. The numbers of the row are lost.
   */
  private void products(int row, boolean first, Fold product, Fold sum) {
    Vec numbers = tile.each(row, 0);
    Vec[] results = {tile.temporary(), numbers};
    for (int part = 0; part < 2; part++) {
      Vec to = first ? tile.exact(row, part) : results[part];
      product.write(code, to, tile.weights(part), numbers);
    }
    for (int part = 0; part < 2 && !first; part++) {
      sum.write(code, tile.exact(row, part), tile.exact(row, part), results[part]);
    }
  }

  /** The product with even words, whose registers stand next to those of all weights. */
  private void even(Assembler to, Vec result, Vec weights, Operand numbers) {
    to.vpmaddwd(result, tile.even(weights.number() - tile.weights(0).number()), numbers);
  }

  /** The same with the numbers of rows first, then the weights part by part. */
  private void quadOfFew(int quad) {
    boolean words = how == ByteProducts.WORDS;
    for (int row = 0; row < rows; row++) {
      for (int half = 0; half < format.numberBytes(); half++) {
        code.vpbroadcastd(
            tile.each(row, half),
            IntegerRows.quants(row).plus(4 * format.numberBytes() * quad + 4 * half));
      }
    }
    for (int part = 0; part < tile.parts(); part++) {
      levels(quad, part);
      if (words) evenWords(part);
      for (int row = 0; row < rows; row++) {
        switch (how) {
          case DOT -> code.vpdpbusd(tile.exact(row, part), tile.weights(part), tile.each(row, 0));
          case NIBBLES -> nibbles(row, part, quad);
          case WORDS -> words(row, part, tile.even(part), 0);
        }
      }
      if (words) oddWords(part);
      for (int row = 0; words && row < rows; row++) words(row, part, tile.weights(part), 1);
    }
  }

  private void nibbles(int row, int part, int quad) {
    if (quad == 0) {
      code.vpmaddubsw(tile.exact(row, part), tile.weights(part), tile.each(row, 0));
    } else {
      code.vpmaddubsw(tile.temporary(), tile.weights(part), tile.each(row, 0));
      code.vpaddw(tile.exact(row, part), tile.exact(row, part), tile.temporary());
    }
  }

  private void words(int row, int part, Vec weights, int half) {
    code.vpmaddwd(tile.temporary(), weights, tile.each(row, half));
    code.vpaddd(tile.exact(row, part), tile.exact(row, part), tile.temporary());
  }

  private void evenWords(int part) {
    code.vpand(tile.even(part), tile.weights(part), Snippets.every(code, tile.bits(), 0x00FF_00FF));
  }

  private void oddWords(int part) {
    code.vpsrlw(tile.weights(part), tile.weights(part), 8);
  }

  /** The levels of four inputs, a byte each. */
  private void levels(int quad, int part) {
    levels.levels(tile.weights(part), quad, tile.output(part), tile.temporary());
  }

  /** Sums of i16 become the exact ones. */
  private void widen() {
    for (int row = 0; row < rows; row++) {
      if (form.zero > 0) code.vpbroadcastd(tile.step(), IntegerRows.sums(row));
      for (int part = 0; part < tile.parts(); part++) {
        code.vpmaddwd(
            tile.exact(row, part),
            tile.exact(row, part),
            Snippets.every(code, tile.bits(), 0x0001_0001));
        if (form.zero > 0) code.vpaddd(tile.exact(row, part), tile.exact(row, part), tile.step());
      }
    }
  }

  /** Scales and minima of a block's outputs. */
  private void scale() {
    for (int part = 0; part < tile.parts(); part++) {
      int at = tile.output(part);
      levels.scale(tile.scales(part), at, tile.temporary());
      if (!form.minima) continue;
      Vec minimum = tile.wide() ? tile.minima(part) : tile.temporary();
      levels.minimum(minimum, at, tile.step());
      if (!tile.wide()) code.vmovups(IntegerFrame.minima(part), minimum);
    }
  }

  /** The same, where they are f32 already. */
  private void loadScales() {
    for (int part = 0; part < tile.parts(); part++) {
      code.vmovups(tile.scales(part), widened(part, 0));
      if (form.minima && tile.wide()) code.vmovups(tile.minima(part), widened(part, LINE));
    }
  }

  private Mem widened(int part, int offset) {
    return Mem.at(levels.scales(), offset + 4 * (tile.output(part)));
  }

  /** Adds the exact sums of a block to those over all blocks. */
  private void add(int row) {
    if (!tile.wide()) code.vpbroadcastd(tile.step(), IntegerRows.steps(row));
    for (int part = 0; part < tile.parts(); part++) {
      Vec exact = tile.exact(row, part);
      Operand each = tile.wide() ? IntegerRows.steps(row).each() : tile.step();
      Vec scaled = tile.wide() ? tile.step() : tile.temporary();
      code.vcvtdq2ps(exact, exact);
      if (format.steps() == Steps.BY_HALVES) code.vpaddd(scaled, tile.scales(part), each);
      else code.vmulps(scaled, tile.scales(part), each);
      if (tile.wide()) code.vfmadd231ps(tile.sum(row, part), exact, scaled);
      else code.vfmadd213ps(exact, scaled, tile.storedSum(row, part));
    }
    if (form.minima && !tile.wide()) code.vpbroadcastd(tile.step(), IntegerRows.sums(row));
    for (int part = 0; part < tile.parts(); part++) {
      if (form.minima) {
        Vec to = tile.wide() ? tile.sum(row, part) : tile.exact(row, part);
        Vec factor = tile.wide() ? tile.minima(part) : tile.step();
        Mem minima = widened ? widened(part, LINE) : IntegerFrame.minima(part);
        Operand other = tile.wide() ? IntegerRows.sums(row).each() : minima;
        // Those of groups are subtracted.
        if (form.grouped()) code.vfnmadd231ps(to, factor, other);
        else code.vfmadd231ps(to, factor, other);
      }
      if (!tile.wide()) code.vmovups(tile.storedSum(row, part), tile.exact(row, part));
    }
  }
}
