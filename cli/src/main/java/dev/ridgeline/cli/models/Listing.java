package dev.ridgeline.cli.models;

import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Catalog;
import dev.ridgeline.model.store.KnownModel;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.ArrayList;
import java.util.List;

/**
 * A model as {@code models} lists it.
 *
 * @param name without a type
 * @param use what it is for: {@code embed}, {@code generate}; null where nobody knows
 * @param kept its files in the cache, one for each type
 * @param download what fetching it takes in bytes, or -1
 * @param dimensions length of an embedding, or -1
 * @param context most tokens of a text, or -1
 * @param licence or null
 * @param known what the catalog says of it, or null
 */
record Listing(
    String name,
    String use,
    List<Cache.Entry> kept,
    long download,
    int dimensions,
    int context,
    String licence,
    KnownModel known) {

  /** Those of the catalog, then what else is in the cache. */
  static List<Listing> of(Cache cache) {
    List<Cache.Entry> others =
        new ArrayList<>(cache.entries().stream().filter(Cache.Entry::finished).toList());
    List<Listing> all = new ArrayList<>();
    for (KnownModel model : Catalog.models()) {
      List<Cache.Entry> kept = others.stream().filter(entry -> isOf(model, entry)).toList();
      others.removeAll(kept);
      all.add(
          new Listing(
              model.name(),
              model.use().word(),
              kept,
              model.origin().bytes(),
              model.dimensions(),
              model.context(),
              model.licence(),
              model));
    }
    for (Cache.Entry entry : others) all.add(described(entry));
    return all;
  }

  /** Whether an entry of the cache is a model of the catalog, in some type. */
  private static boolean isOf(KnownModel model, Cache.Entry entry) {
    return entry.name().startsWith(model.name() + ":")
        || entry.name().equals(model.origin().coordinates());
  }

  /** The type of a model of the catalog: {@code q8_0}. A file of the hub does not name it. */
  static String type(Cache.Entry entry) {
    return entry.name().startsWith(ModelName.HUB)
        ? ModelName.USUAL_TYPE.word()
        : entry.name().substring(entry.name().lastIndexOf(':') + 1);
  }

  private static Listing described(Cache.Entry entry) {
    try (Gguf gguf = Gguf.open(entry.path())) {
      Metadata metadata = gguf.metadata();
      String kind = metadata.string("general.architecture", "");
      return new Listing(
          entry.name(),
          use(kind, metadata),
          List.of(entry),
          -1,
          metadata.integer(kind + ".embedding_length", -1),
          metadata.integer(kind + ".context_length", -1),
          metadata.string("general.license", null),
          null);
    } catch (GgufException _) {
      // One broken file must not hide the others; whoever opens it will be told.
      return new Listing(entry.name(), null, List.of(entry), -1, -1, -1, null, null);
    }
  }

  /** A decoder that says how its tokens are pooled is one for embeddings. */
  private static String use(String kind, Metadata metadata) {
    return switch (kind) {
      case "bert", "gemma-embedding" -> Use.EMBED.word();
      case "llama", "qwen2", "qwen3", "gemma3", "gpt2" ->
          (metadata.integer(kind + ".pooling_type", 0) > 0 ? Use.EMBED : writing(metadata)).word();
      default -> null;
    };
  }

  private static Use writing(Metadata metadata) {
    return metadata.has("tokenizer.chat_template") ? Use.CHAT : Use.GENERATE;
  }
}
