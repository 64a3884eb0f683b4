package dev.ridgeline.agent.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.HashSet;
import java.util.Set;

/** What can be seen of a method's body at a glance. */
final class Bodies {
  /** Bytes of code; a getter has 5, a small formula some 20. */
  private static final int SMALL = 40;

  private Bodies() {}

  static int returns(MethodModel method) {
    int returns = 0;
    for (CodeElement element : method.code().orElseThrow()) {
      if (element instanceof ReturnInstruction) returns++;
    }
    return returns;
  }

  /**
   * Whether a body is so small that a scope would measure mostly itself: no call, no loop, no
   * array.
   */
  static boolean trivial(MethodModel method) {
    CodeAttribute code = (CodeAttribute) method.code().orElseThrow();
    if (code.codeLength() > SMALL) return false;
    boolean constructor = method.methodName().equalsString("<init>");
    int calls = 0;
    Set<Object> passed = new HashSet<>();
    for (CodeElement element : code) {
      switch (element) {
        case LabelTarget target -> passed.add(target.label());
        case BranchInstruction branch when passed.contains(branch.target()) -> {
          return false;
        }
        case InvokeInstruction _, InvokeDynamicInstruction _ -> calls++;
        // However short its code, an array may be large.
        case NewPrimitiveArrayInstruction _,
            NewReferenceArrayInstruction _,
            NewMultiArrayInstruction _ -> {
          return false;
        }
        case Instruction other when other.opcode() == Opcode.MONITORENTER -> calls++;
        default -> {}
      }
    }
    // The first call of a constructor is super(…).
    return calls == 0 || constructor && calls == 1;
  }
}
