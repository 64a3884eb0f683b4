package dev.ridgeline.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody is promised memory that is not there. */
class MachineMemoryTest {
  private static final Path MODEL = Path.of("m.gguf");
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  @Test
  void whatFitsIsNotRefused() {
    Map<String, Long> plan = Map.of("weights", 60 * MIB, "kv cache", 40 * MIB);
    assertThatCode(() -> MachineMemory.require(MODEL, plan, true, 100 * MIB))
        .doesNotThrowAnyException();
  }

  @Test
  void whatStaysInTheFileNeedsNoRoom() {
    Map<String, Long> plan = Map.of("weights", MIB, "weights (mapped)", 900 * MIB);
    assertThatCode(() -> MachineMemory.require(MODEL, plan, true, 100 * MIB))
        .doesNotThrowAnyException();
  }

  @Test
  void whatDoesNotFitIsRefusedWithBothFigures() {
    Map<String, Long> plan = Map.of("weights", 60 * MIB, "kv cache", 5_000 * MIB, "workspace", MIB);
    assertThatThrownBy(() -> MachineMemory.require(MODEL, plan, true, 100 * MIB))
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.adjustable()).isTrue())
        .hasMessage(
            "m.gguf needs 5,061 MiB of memory outside the heap"
                + " (kv cache 5,000 MiB, weights 60 MiB), and 100 MiB can be had here");
  }

  @Test
  void noOptionHelpsAgainstWeightsThatDoNotFit() {
    Map<String, Long> plan = Map.of("weights", 600 * MIB, "kv cache", MIB);
    assertThatThrownBy(() -> MachineMemory.require(MODEL, plan, true, 100 * MIB))
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.adjustable()).isFalse());
  }

  @Test
  void aContextThatNoMachineHoldsIsRefusedBeforeAnythingIsTaken() throws IOException {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long here = system.getTotalMemorySize() + system.getTotalSwapSpaceSize();
    assumeTrue(here < 250_000 * MIB, "this machine might really hold it");
    Path model = folder.resolve("endless.gguf");
    SynthModel.write(SynthShape.LLAMA_TINY, TensorType.F32, SynthModel.SEED, model, _ -> {});
    byte[] bytes = Files.readAllBytes(model);
    byte[] key = "llama.context_length".getBytes(UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (!buffer.slice(at, key.length).equals(ByteBuffer.wrap(key))) at++;
    buffer.putInt(at + key.length + 4, Integer.MAX_VALUE); // behind the type of the value
    Files.write(model, bytes);
    GeneratorOptions options = GeneratorOptions.DEFAULT.withContext(1_000_000_000);
    assertThatThrownBy(() -> Generator.open(model, options).close())
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.adjustable()).isTrue())
        .hasMessageContaining("kv cache 488,282 MiB");
  }
}
