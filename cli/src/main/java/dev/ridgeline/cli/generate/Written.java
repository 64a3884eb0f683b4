package dev.ridgeline.cli.generate;

import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts on their way out, in the order of their prompts whatever the order in which they end: one
 * that is heard alone goes out as it comes, in whole characters, and nothing is held back.
 */
final class Written implements Listener {
  private final Writer out;
  private final TextFormat format;
  private final IntFunction<String> prompts;
  private final IntToLongFunction indices;
  private final BooleanSupplier wanted;
  private final Map<Integer, Completion> waiting = new LinkedHashMap<>();

  /** How many prompts of earlier calls there were. */
  private int before;

  /** Whose text is next. */
  private int next;

  /** How much of it is out already. */
  private int told;

  /**
   * Begins.
   *
   * @param prompts the text of each
   * @param indices what each is called in what is written
   * @param wanted whether more of the texts is wanted, asked at each token
   */
  Written(
      OutputStream out,
      TextFormat format,
      IntFunction<String> prompts,
      IntToLongFunction indices,
      BooleanSupplier wanted) {
    this.out = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    this.format = format;
    this.prompts = prompts;
    this.indices = indices;
    this.wanted = wanted;
  }

  @Override
  public boolean heard(int prompt, CharSequence text, int from, int to) {
    if (format == TextFormat.TEXT && before + prompt == next) {
      write(text.subSequence(told, to));
      told = to;
    }
    return wanted.getAsBoolean();
  }

  @Override
  public void ended(int prompt, Completion completion) {
    waiting.put(before + prompt, completion);
    while (waiting.containsKey(next)) end(waiting.remove(next));
  }

  /** A call is over: prompts of the next are numbered from here. */
  void called(int count) {
    // Of a call that was cancelled, what ended before those that never began.
    waiting.keySet().stream().sorted().toList().forEach(this::skipTo);
    before += count;
    next = before;
  }

  private void skipTo(int prompt) {
    next = prompt;
    end(waiting.remove(prompt));
  }

  private void end(Completion completion) {
    if (format == TextFormat.TEXT) {
      write(completion.text().substring(told) + "\n");
    } else {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("index", indices.applyAsLong(next));
      object.put("prompt", prompts.apply(next));
      object.put("text", completion.text());
      object.put("tokens", completion.ids().length);
      object.put("finish", completion.finish().name().toLowerCase(Locale.ROOT));
      write(JsonMapper.shared().writeValueAsString(object) + "\n");
    }
    told = 0;
    next++;
  }

  private void write(CharSequence text) {
    try {
      out.append(text);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
