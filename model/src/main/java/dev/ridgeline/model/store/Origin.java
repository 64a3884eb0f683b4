package dev.ridgeline.model.store;

/** Where the files of a known model are published. */
public sealed interface Origin {
  /** Names it for those who want to fetch it themselves. */
  String coordinates();

  /** What fetching it takes. */
  long bytes();

  /**
   * A jar that holds an ONNX file and its {@code tokenizer.json}.
   *
   * @param onnxDigest SHA-256 of the ONNX file
   * @param tokenizerDigest SHA-256 of {@code tokenizer.json}
   */
  record Jar(Artifact artifact, long bytes, String onnxDigest, String tokenizerDigest)
      implements Origin {
    @Override
    public String coordinates() {
      return artifact.coordinates();
    }
  }

  /**
   * A package of npm that holds a model of llama2.c and its {@code tokenizer.bin} as one file.
   *
   * @param pack {@code NAME@VERSION}
   * @param file its path in the package
   * @param digest SHA-256 of it
   * @param weightBytes where the weights end and the tokenizer begins
   */
  record Package(String pack, long bytes, String file, String digest, long weightBytes)
      implements Origin {
    @Override
    public String coordinates() {
      return "npm:" + pack;
    }
  }

  /** A GGUF file of the model hub, which is taken as it is; the hub itself states its digest. */
  record OnHub(ModelName.OnHub file, long bytes) implements Origin {
    @Override
    public String coordinates() {
      return file.toString();
    }
  }
}
