package dev.ridgeline.agent.weave;

import dev.ridgeline.agent.hook.Hooks;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts a method's body between a begin and an end: {@code var f = begin; try { … } finally { end(f)
 * }}, in a constructor after its call of {@code super} or {@code this}.
 *
 * <p>The frames of the stack map are kept and given one local more. To compute them again would
 * need the types of classes that may not be loaded yet.
 */
final class Wrapping {
  static final ClassDesc HOOKS = ClassDesc.of(Hooks.class.getName());

  private static final MethodTypeDesc END =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
  private static final VerificationTypeInfo OBJECT =
      ObjectVerificationTypeInfo.of(ConstantDescs.CD_Object);
  private static final VerificationTypeInfo THROWABLE =
      ObjectVerificationTypeInfo.of(ConstantDescs.CD_Throwable);

  private final CodeAttribute code;
  private final boolean constructor;
  private final int slot;
  private final Consumer<CodeBuilder> begin;

  /**
   * @param begin leaves the frame, an object, on the stack
   */
  Wrapping(MethodModel method, Consumer<CodeBuilder> begin) {
    this.code = (CodeAttribute) method.code().orElseThrow();
    this.constructor = method.methodName().equalsString("<init>");
    this.slot = code.maxLocals();
    this.begin = begin;
  }

  void write(CodeBuilder out) {
    // Read first: that makes the labels which the frames refer to.
    StackMapTableAttribute frames = code.findAttribute(Attributes.stackMapTable()).orElse(null);
    List<StackMapFrameInfo> entries = frames == null ? List.of() : frames.entries();
    Label start = out.newLabel();
    Label end = out.newLabel();
    Label handler = out.newLabel();
    List<CodeElement> elements = code.elementList();
    int first = constructor ? behindSuper(elements) : 0;
    for (int i = 0; i < elements.size(); i++) {
      if (i == first) open(out, start);
      CodeElement element = elements.get(i);
      if (element instanceof StackMapTableAttribute) continue;
      if (element instanceof ReturnInstruction) close(out);
      out.with(element);
    }
    out.labelBinding(end);
    out.exceptionCatchAll(start, end, handler);
    out.labelBinding(handler);
    close(out);
    out.athrow();
    if (frames != null) out.with(StackMapTableAttribute.of(withSlot(entries, handler)));
    else if (needsFrames()) out.with(StackMapTableAttribute.of(List.of(handlerFrame(handler))));
  }

  /** Where the object is one: after the call of the constructor that is not an argument's. */
  private static int behindSuper(List<CodeElement> elements) {
    int unfinished = 0;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof NewObjectInstruction) unfinished++;
      if (element instanceof InvokeInstruction call
          && call.opcode() == Opcode.INVOKESPECIAL
          && call.name().equalsString("<init>")
          && unfinished-- == 0) return i + 1;
    }
    throw new IllegalArgumentException("a constructor that never calls another");
  }

  private void open(CodeBuilder out, Label start) {
    for (CodeElement element : code) {
      if (constructor || !(element instanceof LineNumber line)) continue;
      out.lineNumber(line.line());
      break;
    }
    begin.accept(out);
    out.astore(slot);
    out.labelBinding(start);
  }

  private void close(CodeBuilder out) {
    out.aload(slot).invokestatic(HOOKS, "end", END);
  }

  private List<StackMapFrameInfo> withSlot(List<StackMapFrameInfo> frames, Label handler) {
    List<StackMapFrameInfo> more = new ArrayList<>(frames.size() + 1);
    for (StackMapFrameInfo frame : frames) {
      // Before super(…) the slot is not set yet.
      boolean early = frame.locals().contains(SimpleVerificationTypeInfo.UNINITIALIZED_THIS);
      more.add(
          early
              ? frame
              : StackMapFrameInfo.of(frame.target(), withSlot(frame.locals()), frame.stack()));
    }
    more.add(handlerFrame(handler));
    return more;
  }

  /** Nothing is known of the other locals: the body may have used them for anything. */
  private StackMapFrameInfo handlerFrame(Label handler) {
    return StackMapFrameInfo.of(handler, withSlot(List.of()), List.of(THROWABLE));
  }

  private List<VerificationTypeInfo> withSlot(List<VerificationTypeInfo> locals) {
    List<VerificationTypeInfo> more = new ArrayList<>(locals);
    int used = 0;
    for (VerificationTypeInfo local : locals) used += isWide(local) ? 2 : 1;
    for (; used < slot; used++) more.add(SimpleVerificationTypeInfo.TOP);
    more.add(OBJECT);
    return more;
  }

  private static boolean isWide(VerificationTypeInfo local) {
    return local == SimpleVerificationTypeInfo.LONG || local == SimpleVerificationTypeInfo.DOUBLE;
  }

  /** Classes older than Java 6 have no stack maps, and the JVM infers what it needs. */
  private boolean needsFrames() {
    var parent = code.parent().flatMap(MethodModel::parent).orElseThrow();
    return parent.majorVersion() >= ClassFile.JAVA_6_VERSION;
  }
}
