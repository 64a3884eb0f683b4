package dev.ridgeline.lab.jit;

import java.util.NavigableMap;

/**
 * One method as a compiler left it.
 *
 * @param name class and method without their package: {@code Softmax::row}
 * @param compiler {@code c1} or {@code c2}
 * @param entersLoop compiled for a loop that was running already (on-stack replacement)
 * @param begin the address of the first byte
 * @param code its bytes
 * @param notes what the compiler says of an address, such as the call that is there
 * @param constants four bytes of its constant pool each, by address
 */
public record CompiledMethod(
    String name,
    String compiler,
    boolean entersLoop,
    long begin,
    byte[] code,
    NavigableMap<Long, String> notes,
    NavigableMap<Long, String> constants) {
  /** The name, and whether it is the version of a running loop. */
  public String title() {
    return entersLoop ? name + " (loop)" : name;
  }
}
