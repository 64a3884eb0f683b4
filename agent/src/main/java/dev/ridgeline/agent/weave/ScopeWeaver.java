package dev.ridgeline.agent.weave;

import dev.ridgeline.agent.scope.ScopeRules;
import dev.ridgeline.agent.scope.ScopeRules.Rule;
import dev.ridgeline.agent.scope.ScopeRules.Shape;
import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.agent.scope.ScopedMethod;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes scopes of the methods of a class that rules or annotations mean. */
public final class ScopeWeaver {
  private static final MethodTypeDesc BEGIN =
      MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_int);

  /** The JIT compiles no longer method. */
  private static final int JIT_LIMIT = 8_000;

  /** Bytes of code that wrapping adds, without what it adds at each return. */
  private static final int MOST_ADDED = 32;

  private final ScopeRules rules;
  private final ScopeTable table;
  private final Annotated annotated = new Annotated();
  private final Set<Integer> numbers = ConcurrentHashMap.newKeySet();

  public ScopeWeaver(ScopeRules rules, ScopeTable table) {
    this.rules = rules;
    this.table = table;
  }

  /** Whether a class may have scopes; quick, for it is asked of every class. */
  public boolean concerns(String className, byte[] bytes) {
    return !rules.rulesFor(className).isEmpty() || Annotated.in(bytes);
  }

  /** Whether a class that is loaded may have scopes. */
  public boolean concerns(Class<?> loaded) {
    return !rules.rulesFor(loaded.getName()).isEmpty() || annotated.in(loaded);
  }

  /** How many methods were made scopes. */
  int count() {
    return numbers.size();
  }

  /** Loads what weaving needs, so that it is not loaded in the midst of loading something else. */
  void warmUp() {
    try (var in = Annotated.class.getResourceAsStream("Annotated.class")) {
      new ScopeWeaver(ScopeRules.of(List.of("Annotated.in")), new ScopeTable())
          .weave(in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      // Then it is loaded later.
    }
  }

  /** The class with its scopes, or null when it has none. */
  public byte[] weave(byte[] bytes) {
    // Frames are kept by hand, see Wrapping.
    ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
    ClassModel model = classFile.parse(bytes);
    Map<MethodModel, Integer> scopes = scopes(model);
    if (scopes.isEmpty()) return null;
    return classFile.transformClass(
        model,
        (builder, element) -> {
          Integer number = element instanceof MethodModel method ? scopes.get(method) : null;
          if (number == null) builder.with(element);
          else wrap(builder, (MethodModel) element, number);
        });
  }

  private static void wrap(ClassBuilder builder, MethodModel method, int number) {
    builder.transformMethod(
        method,
        (methodBuilder, element) -> {
          if (element instanceof CodeModel) {
            var wrapping =
                new Wrapping(
                    method,
                    out -> out.loadConstant(number).invokestatic(Wrapping.HOOKS, "begin", BEGIN));
            methodBuilder.withCode(wrapping::write);
          } else {
            methodBuilder.with(element);
          }
        });
  }

  private Map<MethodModel, Integer> scopes(ClassModel model) {
    String className = model.thisClass().asInternalName().replace('/', '.');
    List<Rule> meant = rules.rulesFor(className);
    Map<MethodModel, Integer> scopes = new HashMap<>();
    for (MethodModel method : model.methods()) {
      String name = method.methodName().stringValue();
      String descriptor = method.methodType().stringValue();
      if (!weavable(method, name)) continue;
      String given = annotation(method);
      boolean scope =
          given != null
              ? !rules.excludes(className, name, descriptor)
              : !meant.isEmpty()
                  && rules.isScope(meant, className, name, descriptor, shape(method));
      if (!scope) continue;
      int number =
          table.number(new ScopedMethod(className, name, descriptor, given == null ? "" : given));
      if (number < 0) continue;
      scopes.put(method, number);
      numbers.add(number);
    }
    return scopes;
  }

  private static boolean weavable(MethodModel method, String name) {
    if (name.equals("<clinit>") || method.code().isEmpty()) return false;
    int length = ((CodeAttribute) method.code().get()).codeLength();
    return length > JIT_LIMIT || length + MOST_ADDED + 4 * Bodies.returns(method) <= JIT_LIMIT;
  }

  private static Shape shape(MethodModel method) {
    boolean synthetic =
        method.flags().has(AccessFlag.SYNTHETIC) || method.flags().has(AccessFlag.BRIDGE);
    return new Shape(Bodies.trivial(method), synthetic);
  }

  /** The name that an annotation gives, empty when it gives none, null without annotation. */
  private static String annotation(MethodModel method) {
    RuntimeVisibleAnnotationsAttribute all =
        method.findAttribute(Attributes.runtimeVisibleAnnotations()).orElse(null);
    if (all == null) return null;
    for (Annotation annotation : all.annotations()) {
      if (!annotation.className().equalsString(Annotated.PROFILED)) continue;
      for (var element : annotation.elements()) {
        if (element.value() instanceof AnnotationValue.OfString text) return text.stringValue();
      }
      return "";
    }
    return null;
  }
}
