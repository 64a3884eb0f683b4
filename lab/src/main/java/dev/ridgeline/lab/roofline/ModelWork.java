package dev.ridgeline.lab.roofline;

import dev.ridgeline.model.Pooling;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a model has to do, by the sizes and types in its file alone: products with its weights, and
 * attention. Norms, activations and what moves between them through the caches are left out, so
 * that no engine can do with less.
 */
public final class ModelWork {
  /** A part of a layer, or what comes behind all layers. */
  public enum Part {
    LINEAR("attention linear"),
    SCORES("scores"),
    OUTPUT("attention output"),
    FFN("ffn"),
    HEAD("head");

    private final String word;

    Part(String word) {
      this.word = word;
    }

    /** As reports call it. */
    public String word() {
      return word;
    }
  }

  /**
   * What a part of one layer has to do.
   *
   * @param layer from 0; −1 behind all layers
   * @param weightBytes read once, however many rows there are
   * @param cacheBytes keys and values that are read or written
   * @param operations by the type of the weights; f32 where there are none
   */
  public record Task(
      int layer, Part part, long weightBytes, long cacheBytes, Map<TensorType, Double> operations) {
    public long bytes() {
      return weightBytes + cacheBytes;
    }
  }

  /** Of keys and values, which are f16. */
  private static final int CACHE_NUMBER_BYTES = 2;

  private final Shape shape;
  private final Gguf file;

  private ModelWork(Shape shape, Gguf file) {
    this.shape = shape;
    this.file = file;
  }

  /** The work of a file's model; the file must stay open. */
  public static ModelWork of(Gguf file) {
    return new ModelWork(Shape.of(file), file);
  }

  public Shape shape() {
    return shape;
  }

  /** Whether it makes embeddings; else it writes text. */
  public boolean embeds() {
    return switch (shape) {
      case BertShape _, GemmaShape _ -> true;
      case DecoderShape decoder -> decoder.pooling() != null;
      case Gpt2Shape _ -> false;
    };
  }

  /** Tokens at most. */
  public int context() {
    return switch (shape) {
      case BertShape s -> s.context();
      case GemmaShape s -> s.context();
      case DecoderShape s -> s.context();
      case Gpt2Shape s -> s.context();
    };
  }

  public int layers() {
    return shape.layers();
  }

  /** Some whole texts of some tokens each, in one pass. */
  public List<Task> embed(int texts, int tokens) {
    return tasks(new Pass((long) texts * tokens, texts, texts, 0, tokens));
  }

  /** A prompt of some tokens, of which only the last one's logits are wanted. */
  public List<Task> prefill(int tokens) {
    return tasks(new Pass(tokens, 1, 1, 0, tokens));
  }

  /** One token behind others: so many tokens in all. */
  public List<Task> decode(int context) {
    return tasks(new Pass(1, 1, 1, context - 1, 1));
  }

  /**
   * What goes through the model together.
   *
   * @param rows of all texts
   * @param last rows that are wanted behind the last layer's heads
   * @param past tokens of each text in the cache
   * @param tokens of each text that are new
   */
  private record Pass(long rows, int texts, long last, int past, int tokens) {
    Pass {
      if (rows < 1 || past < 0) throw new IllegalArgumentException("no tokens");
    }
  }

  /** Heads, and how far they see. */
  private record Heads(int count, int keys, int width, int before, int after, boolean cached) {}

  private Heads heads(int layer) {
    int all = Integer.MAX_VALUE;
    return switch (shape) {
      case BertShape s -> new Heads(s.heads(), s.heads(), s.width() / s.heads(), all, all, false);
      case GemmaShape s -> {
        int reach = s.local(layer) ? s.window() / 2 : all;
        yield new Heads(s.heads(), s.kvHeads(), s.headWidth(), reach, reach, false);
      }
      case DecoderShape s ->
          new Heads(s.heads(), s.kvHeads(), s.headWidth(), s.before(layer), 0, !embeds());
      case Gpt2Shape s -> new Heads(s.heads(), s.heads(), s.headWidth(), all, 0, true);
    };
  }

  /** Whether one row of a text is enough behind the last layer's heads. */
  private boolean lastAlone() {
    return switch (shape) {
      case BertShape _, GemmaShape _ -> false;
      case DecoderShape s -> s.pooling() == null || s.pooling() == Pooling.LAST;
      case Gpt2Shape _ -> true;
    };
  }

  private List<Task> tasks(Pass pass) {
    List<Task> tasks = new ArrayList<>();
    for (int layer = 0; layer < layers(); layer++) {
      boolean cut = lastAlone() && layer == layers() - 1;
      long behind = cut ? pass.last : pass.rows;
      tasks.add(products(layer, Part.LINEAR, pass.rows));
      tasks.add(scores(layer, pass));
      tasks.add(products(layer, Part.OUTPUT, behind));
      tasks.add(products(layer, Part.FFN, behind));
    }
    tasks.add(products(-1, Part.HEAD, pass.texts));
    return tasks;
  }

  private Task products(int layer, Part part, long rows) {
    long bytes = 0;
    Map<TensorType, Double> operations = new EnumMap<>(TensorType.class);
    for (String name : matrices(layer, part)) {
      GgufTensor tensor = file.tensor(name);
      bytes += tensor.data().byteSize();
      operations.merge(tensor.type(), 2.0 * rows * tensor.count(), Double::sum);
    }
    return new Task(layer, part, bytes, 0, operations);
  }

  /** Names of the matrices that a part multiplies with. */
  private List<String> matrices(int layer, Part part) {
    List<String> names = new ArrayList<>();
    String block = "blk." + layer + ".";
    for (Slot slot : shape.slots()) {
      if (slot.kind() != Slot.Kind.MATRIX) continue;
      boolean inLayer = slot.name().startsWith("blk.");
      if (part == Part.HEAD ? inLayer : !slot.name().startsWith(block)) continue;
      if (part == Part.HEAD || part == partOf(slot.name().substring(block.length()))) {
        names.add(slot.name());
      }
    }
    if (part == Part.HEAD && tied()) names.add("token_embd.weight");
    return names;
  }

  private static Part partOf(String name) {
    if (name.startsWith("attn_output")) return Part.OUTPUT;
    return name.startsWith("attn_") ? Part.LINEAR : Part.FFN;
  }

  /** Whether the table of tokens is what logits are made with. */
  private boolean tied() {
    return switch (shape) {
      case BertShape _, GemmaShape _ -> false;
      case DecoderShape s -> s.tied() && s.pooling() == null;
      case Gpt2Shape s -> s.tied();
    };
  }

  private Task scores(int layer, Pass pass) {
    Heads heads = heads(layer);
    int end = pass.past + pass.tokens;
    long pairs =
        pass.past == 0
            ? Ops.pairs(pass.tokens, heads.before, heads.after)
            : Ops.pairs(end, heads.before, 0) - Ops.pairs(pass.past, heads.before, 0);
    double each = 4.0 * heads.width + Ops.SOFTMAX_FLOPS;
    double operations = each * heads.count * pairs * pass.texts;
    // Written once; what a later token sees of it is read.
    long seen = heads.cached ? end - Math.max(0L, (long) pass.past - heads.before) : 0;
    long bytes = seen * pass.texts * 2 * heads.keys * heads.width * CACHE_NUMBER_BYTES;
    return new Task(layer, Part.SCORES, 0, bytes, Map.of(TensorType.F32, operations));
  }
}
