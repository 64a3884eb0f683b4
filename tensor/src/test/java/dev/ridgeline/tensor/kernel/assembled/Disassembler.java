package dev.ridgeline.tensor.kernel.assembled;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What objdump of binutils reads in machine code. */
final class Disassembler {
  private Disassembler() {}

  /** Instructions in Intel's order, a line each, without addresses of jumps and with one space. */
  static List<String> read(byte[] code) throws IOException, InterruptedException {
    assumeTrue(installed(), "objdump (package binutils) is not installed");
    Path file = Files.createTempFile("code", ".bin");
    try {
      Files.write(file, code);
      Process objdump =
          new ProcessBuilder(
                  "objdump",
                  "-D",
                  "-b",
                  "binary",
                  "-m",
                  "i386:x86-64",
                  "-M",
                  "intel",
                  "--no-show-raw-insn",
                  file.toString())
              .redirectErrorStream(true)
              .start();
      String text = new String(objdump.getInputStream().readAllBytes());
      if (objdump.waitFor() != 0) throw new IOException(text);
      List<String> lines = new ArrayList<>();
      for (String line : text.lines().toList()) {
        String[] parts = line.split(":\t", 2);
        if (parts.length == 2) lines.add(parts[1].strip().replaceAll("\\s+", " "));
      }
      return lines;
    } finally {
      Files.delete(file);
    }
  }

  private static boolean installed() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(folder, "objdump"))) return true;
    }
    return false;
  }
}
