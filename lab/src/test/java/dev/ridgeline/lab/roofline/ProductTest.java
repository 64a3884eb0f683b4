package dev.ridgeline.lab.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductTest {
  /** The product that a guide to measuring works out by hand: 3.7 MB, 13.1 million operations. */
  @Test
  void aProductOfOneRowIsBoundByItsWeights() {
    Product product = Product.parse("q4_k 2560x2560 x 1");
    assertThat(product).isEqualTo(new Product(TensorType.Q4_K, 2560, 2560, 1));
    assertThat(product.weightBytes()).isEqualTo(3_686_400);
    assertThat(product.activationBytes()).isEqualTo(4 * 2 * 2560);
    assertThat(product.operations()).isEqualTo(13_107_200);
    Floor floor = product.floor(Level.DRAM, MadeUp.roof());
    assertThat(floor.memorySeconds()).isCloseTo(3_706_880 / 1e10, within(1e-12));
    assertThat(floor.computeSeconds()).isCloseTo(13_107_200 / 4e11, within(1e-12));
    assertThat(floor.seconds()).isEqualTo(floor.memorySeconds());
    assertThat(floor.limit()).isEqualTo("DRAM read");
    assertThat(product.home(MadeUp.roof())).isEqualTo(Level.L3);
  }

  @Test
  void aProductOfManyRowsInACacheIsBoundByArithmetic() {
    Product product = Product.parse("F32 512×512×512");
    assertThat(product.home(MadeUp.roof())).isEqualTo(Level.L3);
    Floor floor = product.floor(Level.L3, MadeUp.roof());
    assertThat(floor.limit()).isEqualTo("f32 compute");
    assertThat(floor.seconds()).isCloseTo(2.0 * 512 * 512 * 512 / 1e11, within(1e-9));
  }

  @Test
  void weightsOfFewBitsAreMultipliedAsBytesWhereTheMachineCan() {
    assertThat(Floor.arithmetic(TensorType.Q8_0, MadeUp.roof())).isEqualTo(Arithmetic.INT8);
    assertThat(Floor.arithmetic(TensorType.F16, MadeUp.roof())).isEqualTo(Arithmetic.F32);
    // The made-up machine has none of it.
    assertThat(Floor.arithmetic(TensorType.BF16, MadeUp.roof())).isEqualTo(Arithmetic.F32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          q4_k                          | say TYPE OUTPUTSxINPUTS x ROWS
          q4_k 2560x2560                | say TYPE OUTPUTSxINPUTS x ROWS
          q9_9 2560x2560 x 1            | no type 'q9_9'
          q4_k 2560x100 x 1             | 100 inputs do not fill blocks of 256 (q4_k)
          i32 64x64 x 1                 | i32 is not a type of weights
          f32 0x64 x 1                  | a size is 0
          f32 9999999x9999999 x 1       | more than 4 GiB
          f32 64x64 x 9999999           | more than 4 GiB
          f32 99999999x64 x 1           | say TYPE OUTPUTSxINPUTS x ROWS
          """)
  void whatIsNoProductIsRefused(String text, String reason) {
    assertThatThrownBy(() -> Product.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void copiesTakeTurnsUntilTheyOutgrowTheCaches() {
    Product product = Product.parse("q4_k 2560x2560 x 1");
    assertThat(ProductTiming.copiesBeyond(product, 32 << 20)).isEqualTo(19);
    assertThat(ProductTiming.copiesBeyond(Product.parse("f32 8x8 x 1"), 32 << 20)).isEqualTo(1024);
    assertThat(ProductTiming.copiesBeyond(Product.parse("f32 20000x20000 x 1"), 32 << 20))
        .isEqualTo(1);
  }
}
