package dev.ridgeline.model.generate;

import dev.ridgeline.model.Architecture;
import dev.ridgeline.model.Opened;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.store.ModelName;
import dev.ridgeline.model.store.Models;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.model.store.Use;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokens;
import dev.ridgeline.model.tokenizer.WholeText;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Ablation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.gguf.Gguf;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Prompts into texts.
 *
 * <pre>{@code
 * try (Generator generator = Generator.open("stories15m")) {
 *   System.out.println(generator.generate("Once upon a time"));
 * }
 * }</pre>
 *
 * <p>Many prompts at once share every reading of the weights; prompts that begin alike share what
 * the model remembers of their beginning (side by side in whole pages of {@link
 * SequenceMemory#pageTokens} tokens), also from one call to the next. A prompt gets the same text
 * alone as beside others.
 *
 * <p>Threads: any number may call; one call at a time is worked on, by all workers. {@link #cancel}
 * may come from anywhere, at any time.
 */
public final class Generator implements AutoCloseable {
  static final Scope SAMPLE = Scope.of("sample");
  static final Scope DETOKENIZE = Scope.of("detokenize");
  private static final Scope TOKENIZE = Scope.of("tokenize");
  private static final Scope PREFILL = Scope.of("prefill");
  private static final Scope DECODE = Scope.of("decode");

  /** Whether what was computed of a text is kept, or computed again for each of its tokens. */
  private static final boolean REMEMBERS = Ablation.KV_CACHE.on();

  private static final boolean REUSES = Ablation.BUFFER_REUSE.on();

  private final ReentrantLock lock = new ReentrantLock();
  private final GeneratorOptions options;
  private final Opened<Decoder> opened;
  private final Device device;
  private final Tokenizer tokenizer;
  private final Room room;
  private final int context;
  private final SequenceMemory memory;
  private final Decoder.Pass pass;
  private final Sequences texts;
  private final Tensor ids;
  private final int[] packed;

  /** What a pass says of the next token of each sequence. */
  private final float[] scores;

  /** The same of one sequence; rows that fill a table up are scored, but are no tokens. */
  private final float[] row;

  private final Strand[] strands;

  /** Whose rows go through the model, in their order. */
  private final Strand[] passing;

  private final Tokens tokens = new Tokens();
  private Observer observer = Observer.BLIND;
  private long finished;
  private volatile boolean cancelled;
  private boolean closed;

  private Generator(GeneratorOptions options, Opened<Decoder> opened) {
    this.options = options;
    this.opened = opened;
    this.device = opened.device();
    this.tokenizer = opened.tokenizer();
    this.room = new Room(opened.file().path(), options, opened.model(), device);
    this.context = room.context;
    this.memory = room.memory;
    this.texts = room.texts;
    this.ids = room.ids;
    this.pass = room.pass;
    pass.stopWhen(() -> cancelled);
    int sequences = options.sequences();
    this.packed = new int[room.rows];
    int vocabulary = opened.model().shape().vocabulary();
    this.scores = new float[Math.multiplyExact(sequences, vocabulary)];
    this.row = new float[vocabulary];
    this.strands = new Strand[sequences];
    this.passing = new Strand[sequences];
    for (int i = 0; i < sequences; i++) {
      strands[i] = new Strand(memory, tokenizer, vocabulary, context);
    }
  }

  /** Opens a model by its name, which may be a path; one that is not here yet is fetched. */
  public static Generator open(String model) {
    return open(model, GeneratorOptions.DEFAULT);
  }

  /** The same; a {@link dev.ridgeline.model.store.StoreException} says why it cannot be had. */
  public static Generator open(String model, GeneratorOptions options) {
    ModelName name = ModelName.of(model);
    return open(Models.here().resolve(name, Use.GENERATE, Progress.SILENT), options);
  }

  /** Opens a model's file. */
  public static Generator open(Path model) {
    return open(model, GeneratorOptions.DEFAULT);
  }

  /**
   * Opens a model's file; what is wrong with it is one line of a {@link ModelException} or of
   * GGUF's.
   */
  public static Generator open(Path model, GeneratorOptions options) {
    return open(model, options, options.device()::open);
  }

  /**
   * What a model would take outside the heap, by owner, without reading its weights: what the
   * profiler's ledger has once it is open.
   */
  public static Map<String, Long> memory(Path model, GeneratorOptions options) {
    Map<String, Long> account = new TreeMap<>();
    open(model, options, () -> options.device().plan(account)).close();
    return account;
  }

  private static Generator open(Path model, GeneratorOptions options, Supplier<Device> devices) {
    var kind =
        new Opened.Kind<>(
            Architecture::decoder,
            (decoder, file, counting, _) ->
                new Room(file.path(), options, decoder, counting).close(),
            true);
    return Opened.open(model, options.device(), devices, kind, it -> new Generator(options, it));
  }

  // What it is.

  /** Tokens of a sequence at most, prompt included. */
  public int context() {
    return context;
  }

  public GeneratorOptions options() {
    return options;
  }

  public Tokenizer tokenizer() {
    return tokenizer;
  }

  /** How the model wants conversations to be written, as far as its file says it. */
  public ChatTemplate template() {
    return ChatTemplate.of(opened.file().metadata());
  }

  /**
   * Bytes of weights that a pass reads, however many sequences take part: all but the tables that
   * it only looks rows up in.
   */
  public long weightBytes() {
    Gguf file = opened.file();
    boolean untied = file.has("output.weight");
    return file.tensors().stream()
        .filter(tensor -> !(untied && tensor.name().equals("token_embd.weight")))
        .filter(tensor -> !tensor.name().equals("position_embd.weight"))
        .mapToLong(tensor -> tensor.type().bytes(tensor.count()))
        .sum();
  }

  /** What the cache of all sequences takes. */
  public long cacheBytes() {
    return memory.bytes();
  }

  /** What runs, as a run records it. */
  public Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put("model", opened.model().shape().description());
    plan.put("context", Integer.toString(context));
    plan.put("sequences", Integer.toString(strands.length));
    // Its bytes are the ledger's to tell, which knows what lies between the pages, too.
    plan.put("kv cache", memory.description());
    plan.put("workers", Integer.toString(device.batches()));
    plan.putAll(device.plan());
    return plan;
  }

  /** Who is told of every pass from now on. */
  public void observe(Observer next) {
    enter();
    try {
      observer = next;
    } finally {
      lock.unlock();
    }
  }

  /** A listener that asks in the middle of an answer would spoil it. */
  private void enter() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a listener uses the generator that it listens to");
    }
    lock.lock();
  }

  // Prompts.

  /** The tokens of a prompt: that which begins a text, then the text's, special ones recognised. */
  public int[] encode(CharSequence prompt) {
    return encode(Collections.singletonList(prompt), 0);
  }

  private int[] encode(List<? extends CharSequence> prompts, int index) {
    CharSequence prompt = prompts.get(index);
    String which = which(index, prompts.size());
    if (prompt == null) throw new NullPointerException(which + " is null");
    int half = WholeText.firstHalf(prompt);
    if (half >= 0) {
      throw new ModelException(
          "%s has half a character, \\uD800 to \\uDFFF, at index %,d".formatted(which, half));
    }
    enter();
    try (var scope = Profiler.scope(TOKENIZE)) {
      tokens.clear();
      if (tokenizer.first() >= 0) tokens.add(tokenizer.first());
      tokenizer.encode(prompt, false, true, tokens);
      scope.work(2L * prompt.length(), 0);
      return tokens.ids();
    } finally {
      lock.unlock();
    }
  }

  // Generating.

  /** What the model makes of a prompt, as {@link Sampling#DEFAULT} draws it. */
  public String generate(CharSequence prompt) {
    return generate(prompt, Sampling.DEFAULT).text();
  }

  public Completion generate(CharSequence prompt, Sampling sampling) {
    return generate(prompt, sampling, Listener.DEAF);
  }

  /** The same, heard as it comes. */
  public Completion generate(CharSequence prompt, Sampling sampling, Listener listener) {
    return generate(Collections.singletonList(prompt), sampling, listener).getFirst();
  }

  /**
   * What the model makes of many prompts, in their order; as many at a time as {@link
   * GeneratorOptions#sequences} says.
   */
  public List<Completion> generate(
      List<? extends CharSequence> prompts, Sampling sampling, Listener listener) {
    int[][] encoded = new int[prompts.size()][];
    for (int i = 0; i < encoded.length; i++) encoded[i] = encode(prompts, i);
    return generate(encoded, sampling, listener);
  }

  /** The same for prompts that are tokens already. */
  public List<Completion> generate(int[][] prompts, Sampling sampling, Listener listener) {
    check(prompts, i -> which(i, prompts.length));
    enter();
    try {
      if (closed) throw new IllegalStateException("this generator is closed");
      cancelled = false;
      Completion[] completions = new Completion[prompts.length];
      try {
        run(prompts, sampling, listener, completions);
      } catch (RuntimeException | Error e) {
        // Nobody knows what is in the pages now.
        forgetAll();
        throw e;
      }
      return List.of(completions);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses prompts that cannot be continued, as generating them would.
   *
   * @param names what a message calls each
   */
  public void check(int[][] prompts, IntFunction<String> names) {
    for (int i = 0; i < prompts.length; i++) check(prompts[i], names.apply(i));
  }

  private void check(int[] prompt, String which) {
    if (prompt == null) throw new NullPointerException(which + " is null");
    int count = prompt.length;
    if (count == 0) throw new ModelException(which + " is empty");
    if (count >= context) {
      throw new ModelException(
          "%s has %d tokens, the context holds %d and one must be free"
              .formatted(which, count, context));
    }
    for (int id : prompt) {
      if (id < 0 || id >= tokenizer.size()) {
        throw new ModelException("%s: token %d of %d".formatted(which, id, tokenizer.size()));
      }
    }
  }

  private static String which(int index, int count) {
    return count == 1 ? "the prompt" : "prompt %d".formatted(index + 1);
  }

  /**
   * Ends all that is being generated, in the middle of the pass that is under way: no further token
   * comes.
   */
  public void cancel() {
    cancelled = true;
  }

  /** Forgets all that sequences have in the cache. */
  public void forget() {
    enter();
    try {
      forgetAll();
    } finally {
      lock.unlock();
    }
  }

  private void forgetAll() {
    for (Strand strand : strands) strand.forget();
  }

  /** Pages of the cache that sequences hold. */
  int heldPages() {
    return memory.pages() - memory.free();
  }

  private void run(int[][] prompts, Sampling sampling, Listener listener, Completion[] results) {
    int next = 0;
    int active = 0;
    while (next < prompts.length || active > 0) {
      if (cancelled) next = skip(prompts, next, results);
      while (next < prompts.length && admit(prompts[next], next, sampling)) next++;
      if (!cancelled) step(listener);
      active = 0;
      for (Strand strand : strands) {
        if (!strand.active()) continue;
        if (cancelled) strand.cancel();
        if (strand.finished()) finish(strand, listener, results);
        else active++;
      }
    }
  }

  private void finish(Strand strand, Listener listener, Completion[] results) {
    int prompt = strand.prompt;
    results[prompt] = strand.completion();
    strand.rested = ++finished;
    listener.ended(prompt, results[prompt]);
  }

  /** Prompts that nobody began to read. */
  private static int skip(int[][] prompts, int next, Completion[] results) {
    for (int i = next; i < prompts.length; i++) {
      results[i] = new Completion("", new int[0], prompts[i].length, 0, Finish.CANCELLED);
    }
    return prompts.length;
  }

  /** Gives a prompt a strand; false when it must wait for one, or for what it can share. */
  private boolean admit(int[] prompt, int which, Sampling sampling) {
    // One token at least must go through the model, for its scores.
    int most = prompt.length - 1;
    Strand donor = null;
    Strand own = null;
    int common = 0;
    for (Strand strand : strands) {
      int now = REMEMBERS ? strand.common(prompt, most) : 0;
      if (REMEMBERS
          && strand.coming(prompt, most) / memory.pageTokens() > now / memory.pageTokens())
        return false;
      if (now > common) {
        donor = strand;
        common = now;
      }
      if (!strand.active() && (own == null || strand.rested < own.rested)) own = strand;
    }
    if (own == null) return false;
    // Going on in its own pages is best, unless most of what it remembers would be lost.
    if (donor != null && !donor.active() && 2 * common >= donor.done) own = donor;
    own.begin(which, prompt, sampling, donor == null ? own : donor, common);
    return true;
  }

  /** One pass: over what prompts have unread if there is any, or else a token for each strand. */
  private void step(Listener listener) {
    boolean reading = false;
    for (Strand strand : strands) reading |= strand.reading();
    long start = System.nanoTime();
    int deepest;
    int made = 0;
    try (var _ = Profiler.scope(reading ? PREFILL : DECODE)) {
      gather(reading);
      if (texts.count() == 0) return;
      device.write(ids.rows(texts.rows()), packed, 0);
      deepest = texts.deepest();
      if (REUSES) {
        made = choose(pass.run(ids, texts), listener);
      } else {
        try (Decoder.Pass fresh =
            opened.model().plan(device, texts.rows(), texts.count(), memory)) {
          fresh.stopWhen(() -> cancelled);
          made = choose(fresh.run(ids, texts), listener);
        }
      }
    } catch (CancellationException e) {
      // No strand believes that it is further than before the pass.
      if (!cancelled) throw e;
      return;
    }
    // What is read again is no further token.
    int rows = REMEMBERS || reading ? texts.rows() : made;
    observer.passed(reading, texts.count(), rows, deepest, System.nanoTime() - start);
  }

  /** Gives each sequence that was read to its end its next token; answers how many there were. */
  private int choose(Tensor out, Listener listener) {
    // A pass takes sequences whole: only of the last may be something left to read.
    int read = 0;
    for (int i = 0; i < texts.count(); i++) {
      passing[i].done += texts.length(i);
      if (passing[i].done == passing[i].length) read = i + 1;
    }
    if (read == 1) device.read(out, 0, 1, row, 0);
    if (read > 1) device.read(out, 0, read, scores, 0);
    int made = 0;
    for (; made < read && !cancelled; made++) {
      Strand strand = passing[made];
      if (read > 1) System.arraycopy(scores, made * row.length, row, 0, row.length);
      Arrays.fill(row, tokenizer.size(), row.length, Float.NEGATIVE_INFINITY);
      strand.next(row, listener);
      if (!REMEMBERS && !strand.finished()) strand.done = 0;
    }
    return made;
  }

  private void gather(boolean reading) {
    texts.clear();
    for (Strand strand : strands) {
      if (!strand.active() || strand.reading() != reading) continue;
      int room = packed.length - texts.rows();
      int count = Math.min(room, strand.length - strand.done);
      if (count == 0) break;
      System.arraycopy(strand.tokens, strand.done, packed, texts.rows(), count);
      passing[texts.count()] = strand;
      texts.add(count, strand.done, strand.pages);
    }
  }

  @Override
  public void close() {
    enter();
    try {
      if (closed) return;
      closed = true;
      room.close();
      opened.close();
    } finally {
      lock.unlock();
    }
  }
}
