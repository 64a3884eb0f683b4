package dev.ridgeline.agent.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NearMissesTest {
  private static final List<String> CLASSES =
      List.of("com.acme.Engine", "com.acme.Layer", "com.acme.deep.Attention", "org.other.Thing");

  @Test
  void aClassThatIsNearlyCalledSoIsSuggested() {
    assertThat(describe("Enigne.run"))
        .isEqualTo(
            "scope 'Enigne.run' matched nothing: no class has that name; did you mean Engine?");
    assertThat(describe("com.acme.Lair.run")).contains("com.acme.Layer");
  }

  @Test
  void aPackageWithoutStarsIsUnderstood() {
    assertThat(describe("com.acme")).contains("did you mean com.acme.**?");
  }

  @Test
  void nothingIsSuggestedForWhatIsFarFromEverything() {
    assertThat(describe("Zebra.run")).endsWith("no class has that name");
  }

  @Test
  void aMethodThatIsNearlyCalledSoIsSuggested() {
    ScopeRules rules = ScopeRules.of(List.of("Engine.forwrad"));
    var of = rules.rulesFor("com.acme.Engine");
    for (String method : List.of("forward", "backward", "close")) {
      rules.isScope(of, "com.acme.Engine", method, "()V", new ScopeRules.Shape(false, false));
    }
    assertThat(NearMisses.describe(rules.unmatched().getFirst(), CLASSES))
        .contains("did you mean forward?");
  }

  @Test
  void theDistanceOfWordsIsADistance() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      String a = word(random);
      String b = word(random);
      String c = word(random);
      int limit = 100;
      assertThat(NearMisses.distance(a, a, limit)).isZero();
      assertThat(NearMisses.distance(a, b, limit)).isEqualTo(NearMisses.distance(b, a, limit));
      assertThat(NearMisses.distance(a, c, limit))
          .isLessThanOrEqualTo(NearMisses.distance(a, b, limit) + NearMisses.distance(b, c, limit));
    }
  }

  private static String word(Random random) {
    return random
        .ints(random.nextInt(8), 'a', 'd')
        .mapToObj(Character::toString)
        .reduce("", String::concat);
  }

  private static String describe(String pattern) {
    ScopeRules rules = ScopeRules.of(List.of(pattern));
    return NearMisses.describe(rules.unmatched().getFirst(), CLASSES);
  }
}
