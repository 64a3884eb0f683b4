package dev.ridgeline.model.generate;

import dev.ridgeline.model.Architecture;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;

/**
 * How surprised a model is by a text: e to the mean negative log-likelihood of its tokens.
 *
 * <p>A text that is longer than the context goes through the model in windows, each begun by the
 * token that begins texts, where the model has one. A window moves on by a stride, and only tokens
 * that no window before had count: all but those of the first window have at least window − stride
 * tokens before them. Likelihoods are computed in double from the logits.
 *
 * @param loss the mean negative log-likelihood of a token, in nats
 * @param tokens that counted
 * @param window tokens that go through the model together, the first one included
 * @param stride by which a window moves on
 */
public record Perplexity(double loss, long tokens, int window, int stride) {

  /** The perplexity itself. */
  public double value() {
    return Math.exp(loss);
  }

  /**
   * Of a text; what is wrong with the model's file is one line of a {@link ModelException} or of
   * GGUF's.
   *
   * @param options its workers and its cache's type; its context is the window, 0 for the model's
   * @param stride 0 for half a window
   */
  public static Perplexity of(Path model, GeneratorOptions options, CharSequence text, int stride) {
    try (Gguf file = Gguf.open(model)) {
      Tokenizer tokenizer = Tokenizers.of(file.metadata());
      Tokens tokens = new Tokens();
      tokenizer.encode(text, false, false, tokens);
      return of(file, tokenizer, options, tokens.ids(), stride);
    }
  }

  private static Perplexity of(
      Gguf file, Tokenizer tokenizer, GeneratorOptions options, int[] text, int stride) {
    try (Device device = options.device().open();
        Decoder decoder = Architecture.decoder(file, device)) {
      int most = options.context() == 0 ? decoder.shape().context() : options.context();
      try (Room room =
          new Room(file.path(), options.withSequences(1).withBatch(most), decoder, device)) {
        int window = room.context;
        int step = stride == 0 ? Math.max(1, window / 2) : stride;
        int first = tokenizer.first();
        int own = window - (first < 0 ? 0 : 1);
        if (window < 2 || step < 1 || step > own) {
          throw new ModelException("a window of %d and a stride of %d".formatted(window, stride));
        }
        if (text.length < 2)
          throw new ModelException("the text has %d tokens".formatted(text.length));
        return new Scoring(device, room, first, tokenizer.size(), decoder.shape().vocabulary())
            .score(text, window, step);
      }
    }
  }

  /** Windows on their way through the model. */
  private static final class Scoring {
    /** Numbers that are read back at a time. */
    private static final int AT_ONCE = 1 << 20;

    private final Device device;
    private final Room room;
    private final int first;
    private final int known;
    private final int vocabulary;
    private final float[] scores;
    private final int[] pages;
    private double loss;
    private long counted;

    /**
     * @param first the token that begins texts, negative where there is none
     * @param known tokens that there are; rows that fill a table up have scores, but no token
     */
    Scoring(Device device, Room room, int first, int known, int vocabulary) {
      this.device = device;
      this.room = room;
      this.first = first;
      this.known = known;
      this.vocabulary = vocabulary;
      this.scores = new float[vocabulary * Math.max(1, AT_ONCE / vocabulary)];
      this.pages = new int[room.memory.pagesFor(room.context)];
      for (int i = 0; i < pages.length; i++) pages[i] = room.memory.take();
    }

    Perplexity score(int[] text, int window, int stride) {
      int begin = first < 0 ? 0 : 1;
      for (int from = 0, done = 0; done < text.length; from += stride) {
        int to = Math.min(text.length, from + window - begin);
        int[] ids = new int[begin + to - from];
        if (begin == 1) ids[0] = first;
        System.arraycopy(text, from, ids, begin, to - from);
        // What nothing stands before cannot be expected.
        window(ids, Math.max(1, begin + done - from));
        done = to;
      }
      return new Perplexity(loss / counted, counted, window, stride);
    }

    private void window(int[] ids, int from) {
      room.texts.clear();
      room.texts.add(ids.length, 0, pages);
      device.write(room.ids.rows(ids.length), ids, 0);
      Tensor out = room.pass.runAll(room.ids, room.texts);
      int most = scores.length / vocabulary;
      for (int i = from; i < ids.length; i += most) {
        int rows = Math.min(most, ids.length - i);
        device.read(out, i - 1, rows, scores, 0);
        for (int row = 0; row < rows; row++) {
          loss += surprise(scores, row * vocabulary, known, ids[i + row]);
        }
        counted += rows;
      }
      room.texts.clear();
    }
  }

  /**
   * The negative logarithm of the likelihood that logits give a token.
   *
   * @param from where they begin
   * @param count how many tokens there are
   */
  static double surprise(float[] logits, int from, int count, int token) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (int i = from; i < from + count; i++) greatest = Math.max(greatest, logits[i]);
    double sum = 0;
    for (int i = from; i < from + count; i++) sum += Math.exp(logits[i] - greatest);
    return Math.log(sum) + (greatest - logits[from + token]);
  }
}
