package dev.ridgeline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pass that nobody waits for any more ends before its next operation. */
class StoppedPassTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"LLAMA_TINY", "GPT2_TINY"})
  void aPassStopsInTheMiddleAndSpoilsNothing(SynthShape shape) {
    Path model = folder.resolve("model.gguf");
    SynthModel.write(shape, TensorType.F32, SynthModel.SEED, model, _ -> {});
    try (Device device = Device.cpu(1);
        Gguf file = Gguf.open(model);
        Decoder decoder = Architecture.decoder(file, device);
        SequenceMemory cache = decoder.memory(device, TensorType.F32, 2, KvCache.PAGE);
        Sequences texts = new Sequences(device, "test", 1, 3);
        Tensor ids = device.allocate("test", TensorType.I32, 3, 1);
        Decoder.Pass pass = decoder.plan(device, 3, 1, cache)) {
      device.write(ids, new int[] {300, 301, 302}, 0);
      texts.add(3, 0, new int[] {cache.take()});
      float[] before = new float[decoder.shape().vocabulary()];
      device.read(pass.run(ids, texts), 0, before, 0);

      AtomicInteger asked = new AtomicInteger();
      pass.stopWhen(() -> asked.incrementAndGet() == 7);
      assertThatThrownBy(() -> pass.run(ids, texts)).isInstanceOf(CancellationException.class);
      assertThat(asked).hasValue(7);

      float[] after = new float[decoder.shape().vocabulary()];
      device.read(pass.run(ids, texts), 0, after, 0);
      assertThat(after).isEqualTo(before);
    }
  }
}
