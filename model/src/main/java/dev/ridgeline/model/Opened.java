package dev.ridgeline.model;

import dev.ridgeline.model.pass.Model;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.DeviceChoice;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** A model's file, its weights on a device, and its tokenizer: opened and closed together. */
public record Opened<M extends Model>(Gguf file, Device device, M model, Tokenizer tokenizer)
    implements AutoCloseable {
  private static final Scope LOAD = Scope.of("load");
  private static final Scope MAP = Scope.of("map");

  /** What it would take, before anything is taken. */
  private static final Scope ACCOUNT = Scope.of("account");

  private static final Scope REPACK = Scope.of("repack");
  private static final Scope PLAN = Scope.of("plan");

  public Opened {
    int known = model.shape().vocabulary();
    if (tokenizer.size() > known) {
      throw new ModelException(
          "%s: %d tokens, but the model knows %d".formatted(file.path(), tokenizer.size(), known));
    }
  }

  /**
   * What is opened, and what it takes besides its weights.
   *
   * @param load takes the weights of a file to a device
   * @param adjustable whether other options would make do with less
   */
  public record Kind<M extends Model>(
      BiFunction<Gguf, Device, M> load, Planner<M> planner, boolean adjustable) {}

  /** Takes what else a model will need, and gives it back. */
  public interface Planner<M> {
    /**
     * @param counting the device that only counts
     * @param device that will be taken from
     */
    void plan(M model, Gguf file, Device counting, Device device);
  }

  /**
   * Opens a model's file; nothing is left open when that fails.
   *
   * @param devices makes the device
   * @param user takes it over
   */
  public static <M extends Model, T> T open(
      Path path,
      DeviceChoice choice,
      Supplier<Device> devices,
      Kind<M> kind,
      Function<Opened<M>, T> user) {
    try (var _ = Profiler.scope(LOAD)) {
      Gguf file = mapped(path);
      Device device = null;
      M model = null;
      BackgroundTask<Tokenizer> tokenizer =
          BackgroundTask.of("tokenizer", () -> Tokenizers.of(file.metadata()));
      try {
        device = devices.get();
        if (!device.plans()) requireMemory(file, device, choice, kind);
        try (var _ = Profiler.scope(REPACK)) {
          model = kind.load().apply(file, device);
        }
        try (var _ = Profiler.scope(PLAN)) {
          return user.apply(new Opened<>(file, device, model, tokenizer.get()));
        }
      } catch (RuntimeException | Error e) {
        if (model != null) model.close();
        if (device != null) device.close();
        tokenizer.settle();
        file.close();
        throw e;
      }
    }
  }

  private static Gguf mapped(Path path) {
    try (var _ = Profiler.scope(MAP)) {
      return Gguf.open(path);
    }
  }

  /** Refuses what the device cannot hold, before anything of it is taken. */
  private static <M extends Model> void requireMemory(
      Gguf file, Device device, DeviceChoice choice, Kind<M> kind) {
    Map<String, Long> account = new TreeMap<>();
    try (var _ = Profiler.scope(ACCOUNT);
        Device counting = choice.plan(account);
        M model = kind.load().apply(file, counting)) {
      kind.planner().plan(model, file, counting, device);
      MachineMemory.require(device, file.path(), account, kind.adjustable());
    }
  }

  @Override
  public void close() {
    model.close();
    device.close();
    file.close();
  }
}
