package dev.ridgeline.lab.jit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Machine code as instructions, read by objdump (package binutils). */
public final class Objdump {
  private Objdump() {}

  /**
   * One line per instruction, {@code address: instruction}, or null where there is no objdump.
   *
   * @param begin the address of the first byte
   */
  public static List<String> instructions(byte[] code, long begin) {
    try {
      Path file = Files.createTempFile("ridgeline-code", ".bin");
      try {
        Files.write(file, code);
        Process objdump =
            new ProcessBuilder(
                    "objdump",
                    "--disassemble-all",
                    "--target=binary",
                    "--architecture=i386:x86-64",
                    "--disassembler-options=intel",
                    "--no-show-raw-insn",
                    "--adjust-vma=0x" + Long.toHexString(begin),
                    file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(objdump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (objdump.waitFor() != 0) return null;
        return said.lines().dropWhile(line -> !line.contains("<.data>:")).skip(1).toList();
      } finally {
        Files.delete(file);
      }
    } catch (IOException _) {
      return null;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
