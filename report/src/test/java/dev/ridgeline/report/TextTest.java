package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void wideCharactersTakeTwoCells() {
    assertThat(Text.width("abc")).isEqualTo(3);
    assertThat(Text.width("プール")).isEqualTo(6);
    assertThat(Text.width("e\u0301")).isEqualTo(1);
    assertThat(Text.width("😀")).isEqualTo(2);
    assertThat(Text.left("プール", 8)).isEqualTo("プール  ");
    assertThat(Text.right("ab", 4)).isEqualTo("  ab");
  }

  @Test
  void textIsCutToItsWidth() {
    assertThat(Text.fit("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Text.fit("abcdef", 4)).isEqualTo("abc…");
    assertThat(Text.fit("プール", 4)).isEqualTo("プ…");
    assertThat(Text.fit("abc", 0)).isEmpty();
  }

  @Test
  void nothingInANameSteersATerminal() {
    assertThat(Text.clean("a\u001b[31mb\nc\u202Ed\uD800")).isEqualTo("a�[31mb c�d�");
  }

  @Test
  void linesAreBrokenAtBlanks() {
    assertThat(Text.wrap("one two three", 8)).containsExactly("one two", "three");
    assertThat(Text.wrap("incomprehensible", 8)).containsExactly("incompr…");
    assertThat(Text.wrap("", 8)).containsExactly("");
  }

  @Test
  void numbersReadWell() {
    assertThat(Quantity.count(1_234_567)).isEqualTo("1,234,567");
    assertThat(Quantity.number(471.4)).isEqualTo("471");
    assertThat(Quantity.number(23.44)).isEqualTo("23.4");
    assertThat(Quantity.number(1.254)).isEqualTo("1.25");
    assertThat(Quantity.number(0.0512)).isEqualTo("0.0512");
    assertThat(Quantity.number(9.999)).isEqualTo("10.0");
    assertThat(Quantity.number(0)).isEqualTo("0");
    assertThat(Quantity.number(-12_345.6)).isEqualTo("-12,346");
    assertThat(Quantity.number(1.5e-7)).isEqualTo("1.50e-07");
    assertThat(Quantity.fixed(-0.04, 1)).isEqualTo("0.0");
    assertThat(Quantity.fixed(-0.06, 1)).isEqualTo("-0.1");
    assertThat(Quantity.bytes(0)).isEqualTo("0 B");
    assertThat(Quantity.bytes(999)).isEqualTo("999 B");
    assertThat(Quantity.bytes(1.5)).isEqualTo("1.5 B");
    assertThat(Quantity.bytes(999_999)).isEqualTo("1.0 MB");
    assertThat(Quantity.bytes(51_500_000)).isEqualTo("51.5 MB");
    assertThat(Quantity.bytes(-1)).isEqualTo("unknown");
    assertThat(Quantity.bytes(Long.MAX_VALUE)).isEqualTo("9.2 EB");
    assertThat(Quantity.time(31)).isEqualTo("31.0 ns");
    assertThat(Quantity.time(4_100)).isEqualTo("4.10 µs");
    assertThat(Quantity.time(999_999)).isEqualTo("1.00 ms");
    assertThat(Quantity.time(1_234e6)).isEqualTo("1,234 ms");
    assertThat(Quantity.percent(0.658)).isEqualTo("65.8 %");
    assertThat(Quantity.percent(0.0001)).isEqualTo("<0.1 %");
    assertThat(Quantity.percent(0)).isEqualTo("0.0 %");
    assertThat(Quantity.many(1, "call")).isEqualTo("1 call");
    assertThat(Quantity.many(0, "call")).isEqualTo("0 calls");
  }
}
