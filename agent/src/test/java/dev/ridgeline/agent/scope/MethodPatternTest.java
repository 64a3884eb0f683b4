package dev.ridgeline.agent.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MethodPatternTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "com.acme.engine.**      | com.acme.engine.Foo         | bar    | ()V",
        "com.acme.engine.**      | com.acme.engine.deep.Foo    | bar    | ()V",
        "com.acme.engine.**      | com.acme.engine.Foo$Inner   | bar    | ()V",
        "com.acme.*              | com.acme.Foo                | bar    | ()V",
        "com.acme.*              | com.acme.Foo$Inner          | bar    | ()V",
        "com.acme.*              | com.acme.foo                | bar    | ()V",
        "com.acme.*.forward      | com.acme.Foo                | forward| (I)V",
        "com.acme.Foo            | com.acme.Foo                | bar    | ()V",
        "com.acme.Foo            | com.acme.Foo$1              | bar    | ()V",
        "Foo                     | com.acme.Foo                | bar    | ()V",
        "Foo                     | Foo                         | bar    | ()V",
        "Foo.*                   | com.acme.Foo                | bar    | ()V",
        "Foo.bar                 | com.acme.Foo                | bar    | (J)V",
        "Foo.bar(..)             | com.acme.Foo                | bar    | (J)V",
        "Foo.bar(int)            | com.acme.Foo                | bar    | (I)V",
        "Foo.bar( int , long[] ) | com.acme.Foo                | bar    | (I[J)V",
        "Foo.bar(String...)      | com.acme.Foo                | bar    | ([Ljava/lang/String;)V",
        "Foo.bar(java.util.List) | com.acme.Foo                | bar    | (Ljava/util/List;)V",
        "Foo.bar(Map.Entry)      | com.acme.Foo                | bar    | (Ljava/util/Map$Entry;)V",
        "Foo.bar(*, ..)          | com.acme.Foo                | bar    | (IJ)V",
        "Foo.ba*                 | com.acme.Foo                | bar    | ()V",
        "*Layer.forward          | com.acme.nn.LinearLayer     | forward| ()V",
        "Outer.Inner.bar         | com.acme.Outer$Inner        | bar    | ()V",
        "Outer$Inner.bar         | com.acme.Outer$Inner        | bar    | ()V",
        "Foo.new                 | com.acme.Foo                | <init> | ()V",
        "Foo.<init>(int)         | com.acme.Foo                | <init> | (I)V",
        "**.forward              | com.acme.nn.Linear          | forward| ()V",
        "*.forward               | com.acme.nn.Linear          | forward| ()V",
        "forward                 | com.acme.nn.Linear          | forward| ()V",
        "**                      | com.acme.nn.Linear          | forward| ()V",
        "a.b#c                   | a.b                         | c      | ()V",
        "b#c                     | a.b                         | c      | ()V",
        "Foo#lambda$*            | com.acme.Foo                | lambda$run$0 | ()V",
        "com.acme.**.bar         | com.acme.Foo                | bar    | ()V",
      })
  void aPatternMeansWhatItSays(String pattern, String className, String method, String types) {
    assertThat(matches(pattern, className, method, types)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "com.acme.engine.**      | com.acme.engineer.Foo       | bar    | ()V",
        "com.acme.engine.**      | com.acme.Foo                | engine | ()V",
        "com.acme.*              | com.acme.deep.Foo           | bar    | ()V",
        "com.acme.*.forward      | com.acme.Foo                | backward | ()V",
        "com.acme.*.forward      | com.acme.deep.Foo           | forward | ()V",
        "com.acme.Foo            | org.com.acme.Foo            | bar    | ()V",
        "Foo                     | com.acme.Food               | bar    | ()V",
        "Foo.bar                 | com.acme.Foo$Inner          | bar    | ()V",
        "Foo.bar()               | com.acme.Foo                | bar    | (I)V",
        "Foo.bar(int)            | com.acme.Foo                | bar    | (J)V",
        "Foo.bar(int)            | com.acme.Foo                | bar    | (II)V",
        "Foo.bar(List)           | com.acme.Foo                | bar    | (Lcom/acme/MyList;)V",
        "Foo.bar(int, ..)        | com.acme.Foo                | bar    | ()V",
        "Foo.new                 | com.acme.Foo                | bar    | ()V",
        "a.b#c                   | a.b                         | d      | ()V",
        "Foo.b.r                 | com.acme.Foo                | bar    | ()V",
      })
  void aPatternMeansNothingElse(String pattern, String className, String method, String types) {
    assertThat(matches(pattern, className, method, types)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "Foo.",
        ".Foo",
        "Foo..bar",
        "Foo.bar(",
        "Foo.bar)",
        "Foo.bar(int",
        "Foo(int)",
        "Foo.bar(int,)",
        "Foo.bar(.., int)",
        "Foo.bar(List<String>)",
        "Foo.a**",
        "Foo bar",
        "Foo.b-ar;",
        "#",
        "Foo#",
        "(int)",
        "Foo.bar(in t)",
        "com.acme.**(int)"
      })
  void aWrongPatternIsRefusedInOneLine(String pattern) {
    assertThatThrownBy(() -> MethodPattern.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("pattern '")
        .hasMessageNotContaining("\n");
  }

  /** Whatever is typed is either a pattern that can be asked, or refused. */
  @Test
  void noTextMakesThePatternFail() {
    String letters = "aBc.*#$()<>![], \\\n\u00e9\ud83d\ude00;int..new";
    for (long seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(24);
      for (int i = 0; i < length; i++)
        text.append(letters.charAt(random.nextInt(letters.length())));
      try {
        MethodPattern pattern = MethodPattern.of(text.toString());
        pattern.matchesType("com.acme.Foo$Inner");
        pattern.matchesMethod("bar", "(I[Ljava/lang/String;)V");
        assertThat(MethodPattern.of(pattern.toString()).toString()).isEqualTo(pattern.toString());
      } catch (IllegalArgumentException refused) {
        assertThat(refused).as("seed " + seed).hasMessageStartingWith("pattern '");
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + text, e);
      }
    }
  }

  /** A pattern made from a method, part by part replaced by wildcards, still means the method. */
  @Test
  void aMethodIsMetByEveryWideningOfItsName() {
    String[] names = {"com", "acme", "deep", "Outer", "Inner", "bar"};
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      String[] parts = names.clone();
      for (int i = 0; i < parts.length; i++) {
        int cut = random.nextInt(parts[i].length());
        if (random.nextInt(3) == 0) parts[i] = parts[i].substring(0, cut) + "*";
      }
      if (random.nextInt(4) == 0) parts[random.nextInt(3)] = "**";
      String pattern = String.join(".", java.util.Arrays.copyOf(parts, 5)) + "#" + parts[5];
      assertThat(matches(pattern, "com.acme.deep.Outer$Inner", "bar", "()V"))
          .as("seed " + seed + ": " + pattern)
          .isTrue();
    }
  }

  private static boolean matches(String text, String className, String method, String types) {
    MethodPattern pattern = MethodPattern.of(text);
    return pattern.matchesType(className) && pattern.matchesMethod(method, types);
  }
}
