package dev.ridgeline.train.loop;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.draft.Numbers;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Sizes;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.grad.GradDevice;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.train.TrainException;
import dev.ridgeline.train.config.ModelConfig;
import dev.ridgeline.train.net.Gpt2Net;
import dev.ridgeline.train.net.LlamaNet;
import dev.ridgeline.train.net.Net;
import dev.ridgeline.train.net.Parameters.Place;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Reads models to train from GGUF files, makes them from a shape, and writes them. */
final class ModelFile {
  private static final float EPSILON = 1e-5f;
  private static final float ROPE_BASE = 10_000;

  /** Numbers copied at a time. */
  private static final int CHUNK = 1 << 18;

  private ModelFile() {}

  /** A new one of some shape, all zero. */
  static Net fresh(ModelConfig.Fresh config, int vocabulary, Device device) {
    Sizes sizes =
        new Sizes(
            vocabulary,
            config.context(),
            config.layers(),
            config.dim(),
            config.hidden(),
            config.heads(),
            config.keyHeads(),
            config.headWidth());
    return switch (config.shape()) {
      case GPT2 -> new Gpt2Net(new Gpt2Shape(sizes, EPSILON, config.tied()), device);
      case LLAMA ->
          new LlamaNet(
              DecoderShape.plain(DecoderFamily.LLAMA, sizes, ROPE_BASE, EPSILON, config.tied()),
              device);
    };
  }

  /** One to continue from, with its weights in f32. */
  static Net read(Path path, Device device) {
    try (Gguf file = Gguf.open(path)) {
      String word = file.metadata().string("general.architecture");
      Net net =
          switch (word) {
            case "gpt2" -> new Gpt2Net(Gpt2Shape.of(file), device);
            case "llama" -> new LlamaNet(DecoderShape.of(DecoderFamily.LLAMA, file), device);
            default ->
                throw new TrainException(
                    path, "'%s' cannot be trained: gpt2 or llama".formatted(word));
          };
      if (device.plans()) return net;
      try {
        for (Slot slot : net.shape().slots()) read(file.tensor(slot.name()), slot, net, device);
        return net;
      } catch (RuntimeException | Error e) {
        net.close();
        throw e;
      }
    } catch (ModelException e) {
      throw new TrainException(path, e.getMessage());
    }
  }

  private static void read(GgufTensor tensor, Slot slot, Net net, Device device) {
    Place place = net.parameters().place(slot);
    long columns = slot.columns();
    if (tensor.count() != slot.rows() * columns || tensor.columns() != columns) {
      throw new ModelException(
          "%s is %s, not %d×%d".formatted(tensor.name(), tensor.shape(), slot.rows(), columns));
    }
    long most = Math.clamp(CHUNK / columns, 1, slot.rows());
    long bytes = tensor.type().bytes(columns);
    GradDevice training = GradDevice.of(device);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment floats = arena.allocate(4 * most * columns, 64);
      for (long from = 0; from < slot.rows(); from += most) {
        long rows = Math.min(most, slot.rows() - from);
        Quantizer.dequantize(
            tensor.type(), tensor.address() + bytes * from, rows * columns, floats.address());
        training.write(
            floats.asSlice(0, 4 * rows * columns),
            place.parameter().weight(),
            (place.part().from() + from) * columns);
      }
    }
  }

  /** Writes one completely or not at all. */
  static void write(Net net, Device device, String name, GgufVocabulary vocabulary, Path out) {
    Draft draft = new Draft(net.shape(), name, vocabulary);
    for (Slot slot : net.shape().slots()) draft.add(slot, numbers(net, device, slot));
    draft.write(out, TensorType.F32, _ -> {});
  }

  private static Numbers numbers(Net net, Device device, Slot slot) {
    Place place = net.parameters().place(slot);
    long columns = slot.columns();
    return (from, to, out) ->
        GradDevice.of(device)
            .read(
                place.parameter().weight(),
                (place.part().from() + from) * columns,
                out.asSlice(0, 4 * (to - from) * columns));
  }
}
