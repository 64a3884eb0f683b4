package dev.ridgeline.agent.scope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScopeNamesTest {
  @Test
  void aNameIsAsShortAsItCanBe() {
    assertThat(names(method("com.acme.Foo", "bar", "()V"))).containsExactly("Foo.bar");
  }

  @Test
  void aNestedClassKeepsItsOuterOne() {
    assertThat(
            names(method("com.acme.Foo$Inner", "bar", "()V"), method("a.Foo$1", "<init>", "()V")))
        .containsExactlyInAnyOrder("Foo.Inner.bar", "Foo$1.new");
  }

  @Test
  void twoClassesOfOneNameKeepTheirPackages() {
    assertThat(names(method("a.Foo", "bar", "()V"), method("b.Foo", "bar", "()V")))
        .containsExactlyInAnyOrder("a.Foo.bar", "b.Foo.bar");
  }

  @Test
  void overloadsKeepTheirParameters() {
    assertThat(
            names(method("a.Foo", "bar", "(I)V"), method("a.Foo", "bar", "([Ljava/lang/String;)V")))
        .containsExactlyInAnyOrder("Foo.bar(int)", "Foo.bar(String[])");
  }

  @Test
  void whatWasNotRecordedMakesNothingAmbiguous() {
    ScopedMethod recorded = method("a.Foo", "bar", "(I)V");
    Map<String, String> names =
        ScopeNames.of(
            List.of(recorded, method("b.Foo", "bar", "(I)V"), method("a.Foo", "bar", "()V")),
            java.util.Set.of(recorded.scopeName()));
    assertThat(names.values()).containsExactly("Foo.bar");
  }

  @Test
  void whateverACompilerCallsAMethodIsAName() {
    String types = "(" + "Lcom/acme/VeryLongName;".repeat(100) + ")V";
    for (String name : java.util.List.of("bar", "b\ud83d", "\udc00r", "x".repeat(5_000))) {
      String scope = method("com.acme.Foo", name, types).scopeName();
      assertThat(dev.ridgeline.profiler.Scope.of(scope).name()).isEqualTo(scope);
      assertThat(scope).isNotEqualTo(method("com.acme.Foo", name, types + "I").scopeName());
    }
  }

  private static ScopedMethod method(String className, String name, String descriptor) {
    return new ScopedMethod(className, name, descriptor, "");
  }

  private static List<String> names(ScopedMethod... methods) {
    var recorded = Arrays.stream(methods).map(ScopedMethod::scopeName).collect(Collectors.toSet());
    return List.copyOf(ScopeNames.of(List.of(methods), recorded).values());
  }
}
