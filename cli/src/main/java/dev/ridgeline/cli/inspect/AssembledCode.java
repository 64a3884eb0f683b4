package dev.ridgeline.cli.inspect;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.jit.Objdump;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.Code;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The kernels that are assembled on this machine: a list, or the instructions of one. */
final class AssembledCode {
  private static final int BYTES_A_LINE = 16;

  private AssembledCode() {}

  static void print(String id, boolean json, PrintWriter out) {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    if (obstacle != null) throw new Problem("--kernel: nothing is assembled here: " + obstacle);
    List<Code.Kernel> all = AssembledKernels.assembleAll(Tiling.here());
    if (id.equals("all")) {
      list(all, json, out);
      return;
    }
    List<Code.Kernel> alike = all.stream().filter(each -> each.id().startsWith(id)).toList();
    Code.Kernel kernel =
        alike.stream()
            .filter(each -> each.id().equals(id) || alike.size() == 1)
            .findFirst()
            .orElseThrow(
                () ->
                    new Problem(
                        "--kernel %s: no such kernel; there are %s"
                            .formatted(
                                id,
                                all.stream()
                                    .map(Code.Kernel::id)
                                    .collect(Collectors.joining(", ")))));
    if (json) {
      list(List.of(kernel), true, out);
      return;
    }
    out.printf("%s: %,d bytes, %s%n", kernel.id(), kernel.code().length, kernel.digest());
    List<String> instructions = Objdump.instructions(kernel.code(), 0);
    if (instructions != null) {
      instructions.forEach(out::println);
      return;
    }
    out.println("its bytes; with objdump (package binutils) here would be instructions");
    for (int at = 0; at < kernel.code().length; at += BYTES_A_LINE) {
      int end = Math.min(kernel.code().length, at + BYTES_A_LINE);
      out.printf("%6x: %s%n", at, HexFormat.ofDelimiter(" ").formatHex(kernel.code(), at, end));
    }
  }

  private static void list(List<Code.Kernel> kernels, boolean json, PrintWriter out) {
    if (!json) {
      for (Code.Kernel each : kernels) {
        out.printf("%-36s %,7d bytes  %s%n", each.id(), each.code().length, each.digest());
      }
      return;
    }
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.kernels").put("version", 1);
    ArrayNode array = root.putArray("kernels");
    for (Code.Kernel each : kernels) {
      ObjectNode entry = array.addObject().put("id", each.id()).put("digest", each.digest());
      entry.put("code", HexFormat.of().formatHex(each.code()));
    }
    out.println(root.toPrettyString());
  }
}
