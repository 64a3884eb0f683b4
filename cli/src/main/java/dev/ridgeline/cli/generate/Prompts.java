package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.models.ModelOptions;
import dev.ridgeline.cli.texts.StandardInput;
import dev.ridgeline.cli.texts.Texts;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/** What is to be continued, and where it came from. */
sealed interface Prompts {
  Setting<String> PROMPT = Setting.text("-p, --prompt TEXT", "What to continue.");
  Setting<Path> PROMPT_FILE = Setting.path("--prompt-file FILE", "File to continue, as a whole.");
  Setting<Path> PROMPTS =
      Setting.path(
          "--prompts FILE",
          "Prompts to continue, one per line, or JSON lines with --field; - reads stdin.");
  Setting<Integer> BATCH =
      Setting.number("--batch N", 8, "At most this many prompts are continued together.");
  Setting<Integer> INFERENCES =
      Setting.number(
          "--inferences N", "Continue N prompts of made-up tokens, one after the other.");
  Setting<Integer> DEPTHS =
      Setting.number(
          "--depths N",
          "Continue made-up prompts of N lengths, from the shortest to a full context: what a token"
              + " costs at each.");
  Setting<Integer> PROMPT_TOKENS =
      Setting.number("--prompt-tokens N", 32, "Tokens of each made-up prompt.");

  List<Setting<?>> SETTINGS =
      List.of(
          PROMPT,
          PROMPT_FILE,
          PROMPTS,
          ModelOptions.FIELD,
          ModelOptions.SKIP_EMPTY,
          BATCH,
          INFERENCES,
          PROMPT_TOKENS);

  /** The most sequences that are worth planning memory for. */
  int MOST_TOGETHER = 1024;

  /** More prompts, more bytes of one and more made-up tokens than these are a mistake. */
  int MOST_PROMPTS = 1_000_000;

  int MOST_BYTES = 64 << 20;
  int MOST_DEPTHS = 1_000;
  int MOST_TOKENS = 1 << 24;

  /** The tokens of each. */
  int[][] encode(Generator generator, long seed);

  /** In a few words, for a run's configuration. */
  String words();

  /** How many there are. */
  default int count() {
    return 1;
  }

  /**
   * In a few words, for a run's title.
   *
   * @param ids the tokens of those that are continued in one round
   */
  default String title(int[][] ids) {
    long tokens = Arrays.stream(ids).mapToLong(each -> each.length).sum();
    String many = Quantity.many(count(), "prompt") + " of " + Quantity.many(tokens, "token");
    if (count() == 1) return many;
    return many + " in all, " + (together() == 1 ? "one by one" : together() + " together");
  }

  /** Which of them it is, in a message. */
  default String place(int index) {
    return count() == 1 ? "the prompt" : "prompt " + (index + 1);
  }

  /** Whether each is a round of its own, because they are different work. */
  default boolean apart() {
    return false;
  }

  /** How many are worked on together at most. */
  default int together() {
    return 1;
  }

  /** How many tokens are generated unless that is said. */
  default int tokens() {
    return 256;
  }

  /** One text. */
  record One(String text) implements Prompts {
    @Override
    public int[][] encode(Generator generator, long seed) {
      return new int[][] {generator.encode(text)};
    }

    @Override
    public String words() {
      return "1, given";
    }
  }

  /** A story's beginning, cut where half the context is full. */
  record Bundled() implements Prompts {
    private static final String TEXT =
        """
        Once upon a time, there was a little girl named Lily. She lived in a small house near the \
        woods with her mom, her dad and a big brown dog. Every morning the dog ran to the door, \
        because he wanted to play outside. One day, Lily found a small key under\
        """;

    @Override
    public int[][] encode(Generator generator, long seed) {
      int[] ids = generator.encode(TEXT);
      return new int[][] {Arrays.copyOf(ids, Math.min(ids.length, generator.context() / 2))};
    }

    @Override
    public String words() {
      return "1, bundled";
    }
  }

  /**
   * Texts that are continued together.
   *
   * @param indices of their lines, from 0
   * @param places where the text of an index stood
   * @param skipped empty lines that were left out
   */
  record Many(
      List<String> texts,
      List<Long> indices,
      LongFunction<String> places,
      long skipped,
      int together)
      implements Prompts {
    /** Lines are numbered as editors do; {@code prompt 1} could be an index. */
    @Override
    public String place(int index) {
      return places.apply(indices.get(index)) + ": the prompt";
    }

    @Override
    public int[][] encode(Generator generator, long seed) {
      return texts.stream().map(generator::encode).toArray(int[][]::new);
    }

    @Override
    public int count() {
      return texts.size();
    }

    @Override
    public String words() {
      return "%,d, given, %d together at most".formatted(texts.size(), together);
    }
  }

  /** Tokens drawn from the model's vocabulary, for who only wants to see how fast it is. */
  record MadeUp(int count, int length) implements Prompts {
    @Override
    public int[][] encode(Generator generator, long seed) {
      return MadeUpTokens.prompts(generator.tokenizer(), count, length, seed);
    }

    @Override
    public boolean apart() {
      return true;
    }

    @Override
    public String title(int[][] ids) {
      String many = Quantity.many(count, "made-up prompt");
      return many + " of " + Quantity.many(length, "token") + (count == 1 ? "" : ", one by one");
    }

    @Override
    public String words() {
      return "%s of %s, made up"
          .formatted(Quantity.many(count, "prompt"), Quantity.many(length, "token"));
    }

    @Override
    public int tokens() {
      return 50;
    }
  }

  /**
   * Made-up tokens, cut at lengths that grow: each continues the one before, so that only what is
   * new of it has to be read.
   *
   * @param count of lengths
   * @param tokens that are generated behind each at most, for which the longest leaves room
   */
  record Growing(int count, int tokens) implements Prompts {
    static final int TOKENS = 16;

    /** Shorter ones would all be about the same. */
    static final int SHORTEST = 2;

    @Override
    public int[][] encode(Generator generator, long seed) {
      int longest = Math.max(SHORTEST, generator.context() - tokens - 1);
      int[] all = MadeUpTokens.prompts(generator.tokenizer(), 1, longest, seed)[0];
      int most = Math.min(count, longest - SHORTEST + 1);
      int[][] prompts = new int[most][];
      for (int i = 0; i < most; i++) {
        double part = most == 1 ? 1 : (double) i / (most - 1);
        int length = (int) Math.round(SHORTEST + part * (longest - SHORTEST));
        prompts[i] = Arrays.copyOf(all, length);
      }
      return prompts;
    }

    @Override
    public boolean apart() {
      return true;
    }

    @Override
    public String title(int[][] ids) {
      return "%s of growing length, made up".formatted(Quantity.many(count, "prompt"));
    }

    @Override
    public String words() {
      return title(null);
    }
  }

  /** What the user asks for, or null when that is nothing. */
  static Prompts given(Settings settings, List<String> words) {
    List<String> ways = new ArrayList<>();
    if (!words.isEmpty()) ways.add("arguments");
    for (Setting<?> each : List.of(PROMPT, PROMPT_FILE, PROMPTS, INFERENCES, DEPTHS)) {
      if (settings.given(each)) ways.add(each.name());
    }
    if (ways.size() > 1)
      throw new Problem("prompts come from one place: " + String.join(" or ", ways));
    if (!settings.given(PROMPTS)) {
      refuse(settings, PROMPTS, ModelOptions.FIELD, ModelOptions.SKIP_EMPTY, BATCH);
    }
    if (!settings.given(INFERENCES)) refuse(settings, INFERENCES, PROMPT_TOKENS);
    if (ways.isEmpty()) return null;
    if (!words.isEmpty()) return new One(String.join(" ", words));
    if (settings.given(PROMPT)) return new One(settings.read(PROMPT));
    if (settings.given(PROMPT_FILE)) return new One(whole(settings.read(PROMPT_FILE)));
    if (settings.given(PROMPTS)) return many(settings);
    if (settings.given(DEPTHS)) {
      return new Growing(settings.positive(DEPTHS, MOST_DEPTHS), Growing.TOKENS);
    }
    return madeUp(settings);
  }

  private static MadeUp madeUp(Settings settings) {
    int count = settings.positive(INFERENCES, MOST_PROMPTS);
    int length = settings.positive(PROMPT_TOKENS, MOST_TOKENS);
    if ((long) count * length > MOST_TOKENS) {
      throw new Problem(
          "--inferences %d of %d prompt tokens: at most %,d tokens together"
              .formatted(count, length, MOST_TOKENS));
    }
    return new MadeUp(count, length);
  }

  /** The same, from a pipe when nothing else is said. */
  static Prompts of(Settings settings, List<String> words) {
    Prompts given = given(settings, words);
    if (given != null) return given;
    if (StandardInput.isTyped()) {
      throw new Problem(
          "no prompt: give one by -p, as arguments, by --prompt-file FILE, or through a pipe");
    }
    try {
      return new One(text("standard input", System.in));
    } catch (IOException e) {
      throw new Problem("cannot read standard input: " + e.getMessage(), e);
    }
  }

  private static void refuse(Settings settings, Setting<?> owner, Setting<?>... belongings) {
    for (Setting<?> each : belongings) {
      if (settings.given(each)) throw new Problem(each.name() + " belongs to " + owner.name());
    }
  }

  private static Many many(Settings settings) {
    List<String> texts = new ArrayList<>();
    List<Long> indices = new ArrayList<>();
    Path file = settings.read(PROMPTS);
    String field = settings.read(ModelOptions.FIELD);
    boolean skipEmpty = settings.read(ModelOptions.SKIP_EMPTY);
    long skipped;
    LongFunction<String> places;
    try (Texts source = Texts.from(file, field, System.in, skipEmpty, false)) {
      for (String text = source.next(); text != null; text = source.next()) {
        if (texts.size() == MOST_PROMPTS) {
          throw new Problem("%s: more than %,d prompts".formatted(file, MOST_PROMPTS));
        }
        texts.add(text);
        indices.add(source.index());
      }
      skipped = source.skipped();
      places = source::place;
    }
    if (texts.isEmpty()) throw new Problem(file + ": no prompt");
    int together = settings.positive(BATCH, MOST_TOGETHER);
    return new Many(
        List.copyOf(texts),
        List.copyOf(indices),
        places,
        skipped,
        Math.min(together, texts.size()));
  }

  private static String whole(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return text(file.toString(), in);
    } catch (IOException e) {
      throw FileException.of(file, e);
    }
  }

  /** The line end behind the last line is the editor's or echo's, not the prompt's. */
  private static String text(String name, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) {
      throw new Problem("%s: a prompt has at most %s".formatted(name, Quantity.bytes(MOST_BYTES)));
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      text = text.replaceFirst("^\uFEFF", "").replaceFirst("\\R\\z", "");
      if (text.isBlank()) throw new Problem(name + ": no prompt");
      return text;
    } catch (CharacterCodingException e) {
      throw new Problem(name + ": not UTF-8", e);
    }
  }
}
