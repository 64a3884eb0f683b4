package dev.ridgeline.cli.chat;

import dev.ridgeline.cli.line.Interrupt;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.model.generate.Chat;
import dev.ridgeline.model.generate.ChatTemplate;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Finish;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.model.shape.ModelException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Lines in, answers out, until one side leaves. */
final class Conversation {
  private static final int INTERRUPTED = 128 + 2;

  private static final String COMMANDS =
      "/clear starts over, /system TEXT too and tells the model who it is, /exit ends";

  private static final String FULL = "the context is full: /clear starts over";

  private final Generator generator;
  private final ChatTemplate template;
  private final Sampling sampling;
  private final boolean typed;
  private final PrintWriter err;
  private final Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8);
  private final BufferedReader in =
      new BufferedReader(
          // Bytes that are not UTF-8 are refused, not replaced.
          new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()));

  /** Whether nothing was read yet: what comes may begin with a mark of its encoding. */
  private boolean first = true;

  private String system;
  private Chat chat;

  /** Whether a pipe was not told yet that the last answer was cut. */
  private boolean untold;

  /** Whether an answer is under way that nobody has ended yet. */
  private volatile boolean answering;

  /**
   * Begins one.
   *
   * @param typed whether a person types: what goes wrong with a line is told, and the next one read
   */
  Conversation(
      Generator generator,
      ChatTemplate template,
      Sampling sampling,
      String system,
      boolean typed,
      PrintWriter err) {
    this.generator = generator;
    this.template = template;
    this.sampling = sampling;
    this.typed = typed;
    this.err = err;
    begin(system);
  }

  private void begin(String words) {
    chat = new Chat(generator, template, words);
    system = words;
    untold = false;
  }

  /** Talks until the end; answers the exit code. */
  int hold() {
    if (typed) tell("%s; /help tells the commands".formatted(generator.plan().get("model")));
    try (Interrupt interrupt = Interrupt.does(this::endAnswer)) {
      for (String line = next(); line != null; line = next()) {
        if (line.isBlank()) continue;
        if (line.strip().equals("/exit") || line.strip().equals("/quit")) return 0;
        try {
          if (line.startsWith("/")) obey(line.strip());
          else answer(line);
        } catch (ModelException | Problem e) {
          if (!typed) throw e;
          tell(e.getMessage());
        }
        // Ctrl-C ends an answer alone; but a pipe has no second one to give.
        boolean leave = !typed || interrupt.code() != INTERRUPTED;
        if (leave && interrupt.code() != 0) return interrupt.code();
      }
      if (typed) write("\n");
      if (untold) tell(FULL);
      return 0;
    }
  }

  private boolean endAnswer() {
    if (!answering) {
      if (typed) write("\n"); // the shell's prompt begins a line
      return false;
    }
    answering = false;
    generator.cancel();
    return true;
  }

  private String next() {
    if (typed) write("> ");
    try {
      String line = in.readLine();
      boolean marked = first && line != null && line.startsWith("\uFEFF");
      first = false;
      return marked ? line.substring(1) : line;
    } catch (CharacterCodingException e) {
      throw new Problem("standard input: not UTF-8", e);
    } catch (IOException e) {
      throw new Problem("cannot read standard input: " + e.getMessage(), e);
    }
  }

  private void obey(String line) {
    String command = line.split("\\s", 2)[0];
    switch (command) {
      case "/clear" -> {
        begin(system);
        confirm(system.isEmpty() ? "cleared" : "cleared; the system prompt stays");
      }
      case "/system" -> {
        String words = line.substring(command.length()).strip();
        if (words.isEmpty()) throw new Problem("/system TEXT: what is the model to be told?");
        begin(words);
        confirm("cleared, with a new system prompt");
      }
      case "/help" -> tell(COMMANDS);
      default -> throw new Problem("no command '%s': %s".formatted(command, COMMANDS));
    }
  }

  private void answer(String line) {
    answering = true;
    Completion answer;
    try {
      answer =
          chat.say(
              line,
              sampling,
              (_, text, from, to) -> {
                // A token that was under way would stand behind the ^C.
                if (answering) write(text.subSequence(from, to));
                return answering;
              });
    } finally {
      answering = false;
    }
    write("\n");
    if (answer.finish() != Finish.CONTEXT) return;
    // From a pipe the next line may say the same as an error, and once is enough.
    if (typed) tell(FULL);
    else untold = true;
  }

  /** A pipe has nobody who would wonder. */
  private void confirm(String words) {
    if (typed) tell(words);
  }

  private void tell(String words) {
    err.println("ridgeline: " + words);
    err.flush();
  }

  private void write(CharSequence text) {
    try {
      out.append(text);
      out.flush();
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }
}
