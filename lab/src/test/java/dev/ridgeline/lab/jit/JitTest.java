package dev.ridgeline.lab.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JitTest {
  /** As a JVM prints it, with the same method from both compilers and one that is cut off. */
  private static final String LOG =
      """
      Compiled method (c1) 1538 2498       2       com.acme.Parser::next (42 bytes)
      [Constant Pool (empty)]
      [MachCode]
      [Verified Entry Point]
        0x00007fb0abf9b100: c3
      [/MachCode]
      Compiled method (c2) 2997 2700 %  b  4       com.acme.Parser::next @ 3 (42 bytes)
      [Constant Pool]
        0x00007fb0abf9b200:   0x3f800000      0x4b4000003f800000
        0x00007fb0abf9b204:   0x4b400000
      [MachCode]
      [Verified Entry Point]
        # parm0:    rsi:rsi   = long
        0x00007fb0abf9b260: 4885 f674 | 0dc5 fc58

        0x00007fb0abf9b268: ;   {section_word}
        0x00007fb0abf9b268: 0593 ffff | ffe8

        0x00007fb0abf9b26d: ;   {runtime_call Stub::new_instance 0x00007fb0abf9ffff}
        0x00007fb0abf9b26e: 1234 0000 | c3
      [/MachCode]
      Compiled method (c2) 3000 2701       4       com.acme.Parser::next (42 bytes)
      [MachCode]
        0x00007fb0abf9c000: c3
      """;

  @Test
  void aMethodHasItsBytesItsNotesAndItsConstants() {
    List<CompiledMethod> methods = CompileLog.methods(LOG.lines().toList());
    assertThat(methods)
        .extracting(CompiledMethod::title)
        .containsExactly("Parser::next", "Parser::next (loop)");
    assertThat(methods.getFirst().compiler()).isEqualTo("c1");
    CompiledMethod loop = methods.getLast();
    assertThat(loop.begin()).isEqualTo(0x7fb0abf9b260L);
    assertThat(loop.code()).hasSize(19).startsWith(0x48, 0x85, 0xf6).endsWith(0, 0, 0xc3);
    assertThat(loop.notes().get(0x7fb0abf9b268L)).isEqualTo("section_word");
    assertThat(loop.constants()).containsValues("3f800000", "4b400000");
  }

  @Test
  void aListingHasLabelsAndValuesInsteadOfAddresses() {
    Listing listing = Listing.of(CompileLog.methods(LOG.lines().toList()).getLast());
    assumeTrue(listing != null, "objdump (package binutils) is not installed");
    assertThat(listing.lines())
        .containsExactly(
            "    test rsi,rsi",
            "    je L1",
            "    vaddps ymm0,ymm0,YMMWORD PTR [= 0x3f800000]",
            "    call outside   ; runtime_call Stub::new_instance ADDRESS",
            "L1:",
            "    ret");
    assertThat(listing.counts()).isEqualTo(new Listing.Counts(5, 0, 1, 0, 1));
  }

  /** Three lines at most, so that none is far from a change and left out. */
  @Test
  void bothListsCanBeReadFromTheirDifference() {
    for (int seed = 0; seed < 2_000; seed++) {
      var random = new Random(seed);
      List<String> before = lines(random);
      List<String> after = lines(random);
      List<String> difference = LineDifference.of(before, after);
      if (before.equals(after)) {
        assertThat(difference).isEmpty();
        continue;
      }
      assertThat(without('+', difference)).as("seed %d", seed).isEqualTo(before);
      assertThat(without('-', difference)).as("seed %d", seed).isEqualTo(after);
    }
  }

  @Test
  void whatIsFarFromAChangeIsLeftOut() {
    List<String> before = List.of("1", "2", "3", "4", "5", "6", "7", "8");
    List<String> after = List.of("1", "2", "3", "4", "5", "6", "7", "9");
    assertThat(LineDifference.of(before, after))
        .containsExactly("  …", "  5", "  6", "  7", "- 8", "+ 9");
  }

  @Test
  void theNumberOfALabelIsNoDifference() {
    assertThat(LineDifference.of(List.of("jne L1", "L1:"), List.of("jne L9", "L9:"))).isEmpty();
    assertThat(LineDifference.of(List.of("jne L1"), List.of("je L1"))).hasSize(2);
  }

  private static List<String> without(char mark, List<String> difference) {
    return difference.stream()
        .filter(line -> line.charAt(0) != mark)
        .map(line -> line.substring(2))
        .toList();
  }

  private static List<String> lines(Random random) {
    List<String> lines = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) lines.add("i" + random.nextInt(4));
    return lines;
  }
}
