package dev.ridgeline.bench.peers;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Listener;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.model.generate.Sampling;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;

/** Our generator: every time it decodes, it also chooses the likeliest token and makes text. */
final class RidgelineDecoding implements Engine {
  private static final ThreadMXBean THREADS_BEAN =
      (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Tokens behind a prompt that are looked at before its reading is timed. */
  private static final int AFTER_PROMPT = 16;

  private final Generator generator;
  private final boolean prefill;
  private final int[] prompt;
  private final int[] continuation;
  private final Clock clock;

  RidgelineDecoding(Path model, Work work) {
    this.prefill = work.kind() == Work.Kind.PREFILL;
    int read = prefill ? work.tokens() : 1;
    // The first token comes of the prompt.
    int made = prefill ? AFTER_PROMPT : work.tokens() + 1;
    this.clock = new Clock(made - 1);
    this.generator =
        Generator.open(
            model,
            GeneratorOptions.DEFAULT
                .withWorkers(THREADS)
                .withContext(read + made + 1)
                .withBatch(Math.max(1, work.tokens())));
    generator.observe(clock);
    int[] chosen = null;
    int[] ids = null;
    // A model may end its text too soon; another beginning then.
    for (int seed = 0; seed < 32 && (ids == null || ids.length < made); seed++) {
      chosen = prompt(read, seed);
      ids = generate(chosen, made).ids();
    }
    if (ids.length < made) throw new IllegalStateException(model + " ends all its texts too soon");
    this.prompt = chosen;
    this.continuation = ids;
  }

  private int[] prompt(int length, int seed) {
    int size = generator.tokenizer().size();
    // The first of a vocabulary are special, or bytes.
    int[] ids = new Random(seed).ints(length, size / 2, size).toArray();
    int first = generator.tokenizer().first();
    if (first >= 0 && (length > 1 || seed == 0)) ids[0] = first;
    return ids;
  }

  private Completion generate(int[] tokens, int most) {
    generator.forget();
    return generator
        .generate(new int[][] {tokens}, Sampling.GREEDY.withMaxTokens(most), Listener.DEAF)
        .getFirst();
  }

  /** What is read first. */
  int[] prompt() {
    return prompt;
  }

  /** The tokens that it makes behind the prompt. */
  int[] continuation() {
    return continuation;
  }

  /** Bytes of weights that a token takes. */
  long weightBytes() {
    return generator.weightBytes();
  }

  /** What all threads allocated while tokens were decoded, the last time, for each. */
  double bytesPerToken() {
    return (double) clock.allocated / clock.tokens;
  }

  @Override
  public String name() {
    return "ridgeline";
  }

  @Override
  public String setup() {
    return generator.plan().toString();
  }

  @Override
  public Timing run() {
    long begin = System.nanoTime();
    generate(prompt, prefill ? 1 : continuation.length);
    long end = System.nanoTime();
    if (prefill) return new Timing(prompt.length, end - begin);
    return new Timing(continuation.length - 1, end - clock.read);
  }

  @Override
  public void close() {
    generator.close();
  }

  /** Sees when the prompt has been read, and what is allocated from then on. */
  private static final class Clock implements Observer {
    private final int tokens;
    private int left;
    private long read;
    private long before;
    private long allocated;

    Clock(int tokens) {
      this.tokens = tokens;
    }

    @Override
    public void passed(boolean prefill, int sequences, int rows, int position, long took) {
      if (prefill) {
        left = tokens;
        before = THREADS_BEAN.getTotalThreadAllocatedBytes();
        read = System.nanoTime();
      } else if (--left == 0) {
        allocated = THREADS_BEAN.getTotalThreadAllocatedBytes() - before;
      }
    }
  }
}
