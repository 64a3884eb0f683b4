package dev.ridgeline.model.generate;

import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.tokenizer.TextStream;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.profiler.Profiler;
import java.util.Arrays;

/**
 * One sequence on its way: its tokens, the pages that hold what the model remembers of them, its
 * sampler and its text. All room is taken at the start. When a text has ended, tokens and pages
 * stay: the next prompt may begin alike.
 */
final class Strand {
  private final SequenceMemory memory;
  private final Tokenizer tokenizer;
  private final Sampler sampler;
  private final TextStream stream;
  private final StopStrings stops = new StopStrings();

  /** The tokens of prompt and text. */
  final int[] tokens;

  /** How many of them there are. */
  int length;

  /** How many of them the model remembers. */
  int done;

  /** The pages of all that may come. */
  final int[] pages;

  private int pageCount;

  /** Which of the caller's prompts this is; −1 while nothing is asked of this strand. */
  int prompt = -1;

  /** When its last text ended: the one that rests longest goes first. */
  long rested;

  int promptLength;
  int shared;
  private int limit;
  private int asked;
  private final StringBuilder text = new StringBuilder();
  private int told;
  private Finish finish;

  Strand(SequenceMemory memory, Tokenizer tokenizer, int vocabulary, int context) {
    this.memory = memory;
    this.tokenizer = tokenizer;
    this.sampler = new Sampler(vocabulary);
    this.stream = new TextStream(tokenizer);
    this.tokens = new int[context];
    this.pages = new int[memory.pagesFor(context)];
  }

  boolean active() {
    return prompt >= 0;
  }

  /** Whether part of its prompt is still to be read. */
  boolean reading() {
    return active() && done < promptLength && length == promptLength;
  }

  /** How many of a prompt's first tokens are remembered here. */
  int common(int[] other, int count) {
    return same(other, Math.min(done, count));
  }

  /** How many will be when this strand has read its own prompt. */
  int coming(int[] other, int count) {
    return same(other, Math.min(reading() ? promptLength : done, count));
  }

  private int same(int[] other, int most) {
    int same = 0;
    while (same < most && tokens[same] == other[same]) same++;
    return same;
  }

  /**
   * Begins a prompt, of which the first tokens are remembered already.
   *
   * @param donor who remembers them; may be this
   * @param common how many, fewer than the prompt has
   */
  void begin(int which, int[] ids, Sampling how, Strand donor, int common) {
    int count = ids.length;
    keep(donor, common);
    System.arraycopy(ids, 0, tokens, 0, count);
    length = count;
    promptLength = count;
    prompt = which;
    shared = done;
    asked = how.maxTokens();
    long wanted = asked == 0 ? tokens.length : (long) count + asked;
    limit = (int) Math.min(tokens.length, wanted);
    while (pageCount < memory.pagesFor(limit)) pages[pageCount++] = memory.take();
    sampler.begin(how);
    stops.begin(how.stop());
    stream.follow();
    text.setLength(0);
    told = 0;
    finish = null;
  }

  /** Remembers what the donor does of the first tokens, and nothing else. */
  private void keep(Strand donor, int common) {
    int whole = common / memory.pageTokens();
    if (donor == this) {
      // A page that others read, too, must not be written to.
      boolean mine = common % memory.pageTokens() == 0 || memory.holders(pages[whole]) == 1;
      done = mine ? common : whole * memory.pageTokens();
      release(memory.pagesFor(done));
      return;
    }
    release(0);
    for (int i = 0; i < whole; i++) {
      memory.share(donor.pages[i]);
      pages[pageCount++] = donor.pages[i];
    }
    done = whole * memory.pageTokens();
  }

  /** Gives back all pages from this one on. */
  private void release(int from) {
    while (pageCount > from) memory.release(pages[--pageCount]);
  }

  /** Forgets everything. */
  void forget() {
    release(0);
    length = 0;
    done = 0;
    prompt = -1;
  }

  /** Takes the model's word on the next token; what it adds to the text goes to the listener. */
  void next(float[] scores, Listener listener) {
    int id;
    try (var _ = Profiler.scope(Generator.SAMPLE)) {
      id = sampler.next(scores, tokens, length);
    }
    tokens[length++] = id;
    if (tokenizer.ends(id)) {
      finish = Finish.END;
    } else {
      try (var _ = Profiler.scope(Generator.DETOKENIZE)) {
        extend(id);
      }
      if (finish == null && length == limit) {
        finish = asked > 0 && length - promptLength == asked ? Finish.LENGTH : Finish.CONTEXT;
      }
    }
    if (finish != null && finish != Finish.STOP) end();
    tell(finish == null ? stops.safe(text) : text.length(), listener);
  }

  private void extend(int id) {
    int known = text.length();
    stream.add(id, text);
    cutAtStop(known);
  }

  private void end() {
    int known = text.length();
    stream.end(text);
    cutAtStop(known);
  }

  private void cutAtStop(int known) {
    int at = stops.find(text, known);
    if (at < 0) return;
    text.setLength(at);
    finish = Finish.STOP;
  }

  private void tell(int upTo, Listener listener) {
    if (upTo <= told) return;
    int from = told;
    told = upTo;
    if (!listener.heard(prompt, text, from, upTo) && finish == null) finish = Finish.CANCELLED;
  }

  /** Ends the text where it is. */
  void cancel() {
    if (finish == null) finish = Finish.CANCELLED;
  }

  boolean finished() {
    return finish != null;
  }

  /** What came of it; the strand rests. */
  Completion completion() {
    int[] ids = Arrays.copyOfRange(tokens, promptLength, length);
    prompt = -1;
    // Pages behind what is remembered hold nothing that anybody could use.
    release(memory.pagesFor(done));
    return new Completion(text.toString(), ids, promptLength, shared, finish);
  }
}
