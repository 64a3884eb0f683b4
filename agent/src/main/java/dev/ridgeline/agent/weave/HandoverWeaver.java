package dev.ridgeline.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Weaves the places where the JDK gives a task to another thread, and where that thread begins it.
 *
 * <p>Tasks are not wrapped: programs compare, cast and sort what they find in a queue. The agent
 * remembers separately where they come from.
 */
final class HandoverWeaver {
  private static final MethodTypeDesc TWO_OBJECTS =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object);
  private static final MethodTypeDesc ENTER =
      MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object);
  private static final MethodTypeDesc RUN = MethodTypeDesc.ofDescriptor("(Ljava/lang/Runnable;)V");

  /** What is done to one method. */
  private record Edit(String method, String descriptor, How how) {}

  private sealed interface How {
    /** Instructions in front of the body. */
    record Before(Consumer<CodeBuilder> code) implements How {}

    /** Instructions in front of every return. */
    record Behind(Consumer<CodeBuilder> code) implements How {}

    /** The body as the scope of a task. */
    record Around(Consumer<CodeBuilder> begin) implements How {}

    /** {@code task.run()} becomes a call of a hook. */
    record InsteadOfRun(String hook) implements How {}
  }

  private static final Map<String, List<Edit>> EDITS =
      Map.of(
          "java/util/concurrent/ThreadPoolExecutor",
          List.of(
              new Edit("execute", "(Ljava/lang/Runnable;)V", handOver(1, true)),
              new Edit(
                  "runWorker",
                  "(Ljava/util/concurrent/ThreadPoolExecutor$Worker;)V",
                  new How.InsteadOfRun("run"))),
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          List.of(
              new Edit(
                  "delayedExecute",
                  "(Ljava/util/concurrent/RunnableScheduledFuture;)V",
                  handOver(1, true))),
          "java/util/concurrent/ForkJoinPool",
          List.of(
              new Edit(
                  "poolSubmit",
                  "(ZLjava/util/concurrent/ForkJoinTask;)Ljava/util/concurrent/ForkJoinTask;",
                  handOver(2, true))),
          "java/util/concurrent/ForkJoinTask",
          List.of(
              new Edit("fork", "()Ljava/util/concurrent/ForkJoinTask;", handOver(0, false)),
              new Edit(
                  "doExec",
                  "()V",
                  new How.Around(
                      out -> out.aload(0).invokestatic(Wrapping.HOOKS, "enter", ENTER)))),
          "java/util/concurrent/CompletableFuture$UniCompletion",
          List.of(
              new Edit(
                  "<init>",
                  "(Ljava/util/concurrent/Executor;Ljava/util/concurrent/CompletableFuture;"
                      + "Ljava/util/concurrent/CompletableFuture;)V",
                  new How.Behind(
                      out ->
                          out.aload(0)
                              .aload(1)
                              .invokestatic(Wrapping.HOOKS, "promise", TWO_OBJECTS)))),
          "java/lang/Thread",
          List.of(
              new Edit("start", "()V", handOver(0, false)),
              new Edit("start", "(Ljdk/internal/vm/ThreadContainer;)V", handOver(0, false)),
              new Edit(
                  "runWith",
                  "(Ljava/lang/Object;Ljava/lang/Runnable;)V",
                  new How.InsteadOfRun("runThread"))),
          "java/lang/VirtualThread",
          List.of(new Edit("start", "(Ljdk/internal/vm/ThreadContainer;)V", handOver(0, false))));

  private static final Set<String> CLASSES = Set.copyOf(EDITS.keySet());

  private static How handOver(int task, boolean toPool) {
    return new How.Before(
        out -> {
          out.aload(task);
          if (toPool) out.aload(0);
          else out.aconst_null();
          out.invokestatic(Wrapping.HOOKS, "handOver", TWO_OBJECTS);
        });
  }

  private HandoverWeaver() {}

  /** Whether a class, by its internal name, has places to weave. */
  static boolean concerns(String name) {
    return CLASSES.contains(name);
  }

  /** Loads what weaving needs, so that it is not loaded in the midst of loading something else. */
  static void warmUp() {
    try (InputStream in = ClassLoader.getSystemResourceAsStream("java/lang/Thread.class")) {
      weave(in.readAllBytes());
    } catch (IOException | RuntimeException e) {
      // Then it is loaded later.
    }
  }

  /** The class with its hand-overs; an IllegalArgumentException when this JDK's is different. */
  static byte[] weave(byte[] bytes) {
    ClassFile classFile = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
    ClassModel model = classFile.parse(bytes);
    List<Edit> edits = EDITS.get(model.thisClass().asInternalName());
    Set<Edit> done = new HashSet<>();
    byte[] woven =
        classFile.transformClass(
            model,
            (builder, element) -> {
              Edit edit = element instanceof MethodModel method ? find(edits, method) : null;
              if (edit == null) {
                builder.with(element);
                return;
              }
              MethodModel method = (MethodModel) element;
              done.add(edit);
              builder.transformMethod(
                  method,
                  (methodBuilder, part) -> {
                    if (part instanceof CodeModel)
                      methodBuilder.withCode(out -> write(out, method, edit.how));
                    else methodBuilder.with(part);
                  });
            });
    if (done.size() < edits.size()) {
      throw new IllegalArgumentException("this JDK has no " + missing(edits, done));
    }
    return woven;
  }

  private static String missing(List<Edit> edits, Set<Edit> done) {
    return edits.stream().filter(edit -> !done.contains(edit)).findFirst().orElseThrow().method;
  }

  private static Edit find(List<Edit> edits, MethodModel method) {
    for (Edit edit : edits) {
      if (method.methodName().equalsString(edit.method)
          && method.methodType().equalsString(edit.descriptor)) return edit;
    }
    return null;
  }

  private static void write(CodeBuilder out, MethodModel method, How how) {
    if (how instanceof How.Around(var begin)) {
      new Wrapping(method, begin).write(out);
      return;
    }
    CodeAttribute code = (CodeAttribute) method.code().orElseThrow();
    StackMapTableAttribute frames = code.findAttribute(Attributes.stackMapTable()).orElse(null);
    var entries = frames == null ? null : frames.entries();
    boolean begun = false;
    boolean replaced = false;
    for (CodeElement element : code) {
      if (element instanceof StackMapTableAttribute) continue;
      if (!begun && element instanceof Instruction) {
        begun = true;
        if (how instanceof How.Before(var before)) before.accept(out);
      }
      if (how instanceof How.Behind(var behind) && element instanceof ReturnInstruction) {
        behind.accept(out);
      }
      if (how instanceof How.InsteadOfRun(String hook)
          && element instanceof InvokeInstruction call
          && call.owner().asInternalName().equals("java/lang/Runnable")) {
        replaced = true;
        out.invokestatic(Wrapping.HOOKS, hook, RUN);
      } else {
        out.with(element);
      }
    }
    if (how instanceof How.InsteadOfRun && !replaced) {
      throw new IllegalArgumentException(
          method.methodName().stringValue() + " of this JDK runs no task");
    }
    if (entries != null) out.with(StackMapTableAttribute.of(entries));
  }
}
