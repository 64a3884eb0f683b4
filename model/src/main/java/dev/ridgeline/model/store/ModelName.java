package dev.ridgeline.model.store;

import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.NearMisses;
import dev.ridgeline.tensor.quant.FileType;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What users write wherever a model is taken. As text, it is the name in full. */
public sealed interface ModelName {
  /** The type of a model whose name does not say one. */
  TensorType USUAL_TYPE = TensorType.Q8_0;

  /** {@code all-minilm-l6-v2:q8_0}: one of the {@link Catalog}. */
  record Known(KnownModel model, TensorType type) implements ModelName {
    /** The file of the hub that it is another name for, or null where it is converted here. */
    OnHub file() {
      return model.origin() instanceof Origin.OnHub origin ? origin.file() : null;
    }

    @Override
    public String toString() {
      return model.name() + ":" + type.word();
    }
  }

  /** {@code synth:minilm-l6:q8_0}: random weights in the shape of a real model. */
  record Synthetic(String shape, TensorType type) implements ModelName {
    @Override
    public String toString() {
      return SYNTH + shape + ":" + type.word();
    }
  }

  /**
   * {@code hf:OWNER/REPO/FILE.gguf}: a file on the model hub.
   *
   * @param file its path in the repository
   */
  record OnHub(String owner, String repository, String file) implements ModelName {
    @Override
    public String toString() {
      return HUB + owner + "/" + repository + "/" + file;
    }
  }

  /** A file on this machine. */
  record OnDisk(Path path) implements ModelName {
    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** What the model is for, or null where only its file says it. */
  default Use use() {
    return switch (this) {
      case Known known -> known.model().use();
      case Synthetic synthetic -> {
        SynthShape shape = SynthShape.of(synthetic.shape());
        yield shape == null ? null : shape.architecture().embeds() ? Use.EMBED : Use.GENERATE;
      }
      case OnHub _, OnDisk _ -> null;
    };
  }

  /** How names of files on the hub begin. */
  String HUB = "hf:";

  /** How names of made-up models begin. */
  String SYNTH = "synth:";

  /** Understands what a user wrote, or says in one line what could have been written. */
  static ModelName of(String text) {
    String name = text.strip();
    if (name.isEmpty()) throw new StoreException("a model's name is empty; " + Text.OTHERS);
    if (name.startsWith(HUB)) return Text.onHub(name);
    if (name.startsWith(SYNTH)) return Text.synthetic(name);
    if (Text.isPath(name)) return new OnDisk(Path.of(name));
    return Text.known(name);
  }

  /** How names are read. */
  final class Text {
    private static final String OTHERS =
        "known are "
            + Catalog.models().stream().map(KnownModel::name).collect(Collectors.joining(", "))
            + "; also a path to a .gguf, hf:OWNER/REPO/FILE.gguf, synth:SHAPE:TYPE";

    private static final Pattern ON_HUB =
        Pattern.compile("hf:([\\w.-]+)/([\\w.-]+)/((?:[^/\\\\\\p{Cntrl}]+/)*[^/\\\\\\p{Cntrl}]+)");

    private static final Pattern SPLIT = Pattern.compile(".*-\\d{5}-of-\\d{5}\\.gguf");

    private static final List<TensorType> TYPES =
        Arrays.stream(TensorType.values())
            .filter(type -> type.writable() && type != TensorType.I32)
            .toList();

    private Text() {}

    private static boolean isPath(String name) {
      if (name.indexOf('\0') >= 0) return false;
      try {
        return name.toLowerCase(Locale.ROOT).endsWith(".gguf")
            || name.contains("/")
            || Files.isRegularFile(Path.of(name));
      } catch (InvalidPathException _) {
        return false;
      }
    }

    private static Known known(String name) {
      int colon = name.indexOf(':');
      String model = colon < 0 ? name : name.substring(0, colon);
      KnownModel found = Catalog.find(model);
      if (found != null) return known(found, type(name, colon));
      List<String> near =
          NearMisses.of(model, Catalog.models().stream().map(KnownModel::name).toList());
      throw new StoreException(
          "no model '%s'; %s"
              .formatted(
                  name,
                  near.isEmpty() ? OTHERS : "did you mean " + String.join(" or ", near) + "?"));
    }

    private static Known known(KnownModel model, TensorType type) {
      Known known = new Known(model, type);
      if (known.file() != null && type != USUAL_TYPE) {
        throw new StoreException(
            "'%s': comes as %s only; make another type of its file: ridgeline quantize --help"
                .formatted(known, USUAL_TYPE.word()));
      }
      return known;
    }

    private static Synthetic synthetic(String name) {
      int colon = name.indexOf(':', SYNTH.length());
      String shape = name.substring(SYNTH.length(), colon < 0 ? name.length() : colon);
      if (!shape.matches("[\\w.-]+")) {
        throw new StoreException("'%s': write synth:SHAPE:TYPE".formatted(name));
      }
      return new Synthetic(shape.toLowerCase(Locale.ROOT), type(name, colon));
    }

    private static TensorType type(String name, int colon) {
      if (colon < 0) return USUAL_TYPE;
      String word = name.substring(colon + 1);
      for (TensorType type : TYPES) {
        // q4_k is the middle mix, whose own name is q4_k_m.
        if (type.word().equalsIgnoreCase(word)) return type;
        if (FileType.of(type).word().equalsIgnoreCase(word)) return type;
      }
      String words =
          TYPES.stream().map(type -> FileType.of(type).word()).collect(Collectors.joining(", "));
      throw new StoreException(
          FileType.onlyRead(word)
              ? "'%s': %s can be read but not written; choose one of %s"
                  .formatted(name, word, words)
              : "'%s': no type '%s'; there are %s".formatted(name, word, words));
    }

    private static OnHub onHub(String name) {
      Matcher parts = ON_HUB.matcher(name);
      if (!parts.matches() || climbs(name.substring(HUB.length()))) {
        throw new StoreException("'%s': write hf:OWNER/REPO/FILE.gguf".formatted(name));
      }
      String file = parts.group(3);
      if (!file.toLowerCase(Locale.ROOT).endsWith(".gguf")) {
        throw new StoreException("'%s': not a .gguf file, and no other is run".formatted(name));
      }
      if (SPLIT.matcher(file).matches()) {
        throw new StoreException(
            "'%s': one part of a model in several files; take one that is a single file"
                .formatted(name));
      }
      return new OnHub(parts.group(1), parts.group(2), file);
    }

    /** Names become paths in the cache, and must not lead out of it. */
    private static boolean climbs(String path) {
      return Arrays.stream(path.split("/")).anyMatch(part -> part.matches("\\.+"));
    }
  }
}
