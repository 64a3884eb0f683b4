package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationExperimentsTest {
  @TempDir private Path folder;

  @Test
  void whatIsWrongIsOneLineAndLeavesNothing() throws IOException {
    Path encoder = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    for (Object[] wrong :
        new Object[][] {
          {"memory-vs-compute", "softmax"},
          {"memory-vs-compute", "matmul", "--shape", "12"},
          {"memory-vs-compute", "matmul", "--type", "q9"},
          {"memory-vs-compute", "gelu", "--type", "q8_0"},
          {"memory-vs-compute", "--margin", "much"},
          {"memory-vs-compute", "--from", "disk"},
          {"tiles", "--type", "f32"},
          {"tiles", "--shape", "384"},
          {"tiles", "--shape", "100x100"},
          {"tiles", "--shape", "384x384", "-m", encoder},
          {"tiles", "--only", "luck"},
          {"tiles", "--shape", "384x384", "--only", "f32.rows"},
          {"tiles", "--threshold", "5%"},
          {"quantization", "--types", "f32,f31"},
          {"quantization", "--types", "f32"},
          {"quantization", "--rows", "0", "-m", encoder},
          {"quantization", "--input", "none.txt"},
          {"quantization", "-m", "none.gguf"},
          {"quantization", "--shape", "2560"},
          {"quantization", "--shape", "0x64"},
          {"quantization", "--shape", "320x64", "--types", "f16,q4_k"},
          {"quantization", "--shape", "256x64", "-m", encoder},
          {"quantization", "--shape", "256x64", "--window", 9},
        }) {
      List<Object> all = new ArrayList<>(List.of("experiment"));
      all.addAll(List.of(wrong));
      Path runs = folder.resolve("runs");
      all.addAll(List.of("--budget", "1s", "--runs", runs));
      if (!wrong[0].equals("memory-vs-compute")) {
        all.addAll(List.of("--cache", folder.resolve("cache")));
      }
      Answer answer = Answer.of(all.toArray());
      assertThat(answer.code()).as("%s: %s", all, answer.err()).isEqualTo(2);
      assertThat(answer.err()).as("%s", all).startsWith("ridgeline: ").hasLineCount(1);
      assertThat(answer.out()).isEmpty();
      if (!Files.exists(runs)) continue;
      try (Stream<Path> left = Files.list(runs)) {
        assertThat(left).as("%s", all).isEmpty();
      }
    }
  }
}
