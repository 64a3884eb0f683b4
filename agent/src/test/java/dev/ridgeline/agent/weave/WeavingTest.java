package dev.ridgeline.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.agent.scope.ScopeTable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Woven classes must pass the verifier, whatever a compiler has made of them. */
@Execution(CONCURRENT)
class WeavingTest {
  private static final ClassFile VERIFIER =
      ClassFile.of(
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(WeavingTest.class.getClassLoader())
                  .orElse(ClassHierarchyResolver.ofClassLoading(ClassLoader.getSystemClassLoader()))
                  .cached(ConcurrentHashMap::new)));

  @Test
  void everyMethodOfTheLibrariesHereCanBeWoven() throws IOException {
    int methods = 0;
    for (String entry : System.getProperty("java.class.path").split(":")) {
      if (!entry.endsWith(".jar")) continue;
      try (JarFile jar = new JarFile(entry)) {
        for (var file : (Iterable<java.util.jar.JarEntry>) jar.stream()::iterator) {
          if (!file.getName().endsWith(".class") || file.getName().startsWith("META-INF")) continue;
          try (InputStream in = jar.getInputStream(file)) {
            methods += weaveAndVerify(in.readAllBytes(), file.getName());
          }
        }
      }
    }
    assertThat(methods).isGreaterThan(10_000);
  }

  /** The JDK's own compiler, and others before it, made these. */
  @Test
  void everyMethodOfTheJdksPackagesCanBeWoven() throws IOException {
    int methods = 0;
    var jdk = FileSystems.getFileSystem(URI.create("jrt:/"));
    for (String folder :
        List.of(
            "java.base/java/util", "java.base/java/lang", "java.xml/com/sun/org/apache/xerces")) {
      List<Path> files;
      try (var all = Files.walk(jdk.getPath("/modules/" + folder))) {
        files = all.filter(file -> file.toString().endsWith(".class")).toList();
      }
      for (Path file : files) {
        methods += weaveAndVerify(Files.readAllBytes(file), file.toString());
      }
    }
    assertThat(methods).isGreaterThan(10_000);
  }

  @Test
  void linesStayWhereTheyAre() throws IOException {
    byte[] bytes = bytesOf("acme/engine/Engine.class");
    ClassModel before = ClassFile.of().parse(bytes);
    ClassModel after = ClassFile.of().parse(weaver().weave(bytes));
    for (int i = 0; i < before.methods().size(); i++) {
      // The first line also stands in front of what was added.
      assertThat(lines(after.methods().get(i))).isEqualTo(lines(before.methods().get(i)));
    }
  }

  @Test
  void theHandoversOfThisJdkAreWhereTheyAreExpected() throws IOException {
    for (String name :
        List.of(
            "java/util/concurrent/ThreadPoolExecutor",
            "java/util/concurrent/ScheduledThreadPoolExecutor",
            "java/util/concurrent/ForkJoinPool",
            "java/util/concurrent/ForkJoinTask",
            "java/util/concurrent/CompletableFuture$UniCompletion",
            "java/lang/Thread",
            "java/lang/VirtualThread")) {
      assertThat(HandoverWeaver.concerns(name)).as(name).isTrue();
      byte[] woven = HandoverWeaver.weave(bytesOf(name + ".class"));
      assertThat(VERIFIER.verify(woven)).as(name).isEmpty();
    }
  }

  private static List<Integer> lines(MethodModel method) {
    List<Integer> lines = new ArrayList<>();
    if (method.code().isEmpty()) return lines;
    for (var element : method.code().get()) {
      if (element instanceof LineNumber line && (lines.isEmpty() || lines.getLast() != line.line()))
        lines.add(line.line());
    }
    return lines;
  }

  private static int weaveAndVerify(byte[] bytes, String name) {
    ScopeTable table = new ScopeTable();
    byte[] woven =
        new ScopeWeaver(ScopeRules.of(List.of("**#*a*", "**#*e*", "**")), table).weave(bytes);
    if (woven == null) return 0;
    // Some name classes that are not here.
    if (VERIFIER.verify(bytes).isEmpty()) {
      assertThat(VERIFIER.verify(woven)).as(name).isEmpty();
    }
    ClassModel before = ClassFile.of().parse(bytes);
    ClassModel after = ClassFile.of().parse(woven);
    assertThat(after.methods()).as(name).hasSameSizeAs(before.methods());
    assertThat(after.fields()).as(name).hasSameSizeAs(before.fields());
    assertThat(after.findAttribute(Attributes.sourceFile()).isPresent())
        .isEqualTo(before.findAttribute(Attributes.sourceFile()).isPresent());
    return table.methods().size();
  }

  private static ScopeWeaver weaver() {
    return new ScopeWeaver(ScopeRules.of(List.of("**")), new ScopeTable());
  }

  private static byte[] bytesOf(String file) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }
}
