package dev.ridgeline.model.generate;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a family of models writes a conversation: what stands before and after what each says.
 *
 * <p>A file carries its template as a Jinja program. Families have few forms; which it is shows in
 * the marks that the program writes.
 */
public enum ChatTemplate {
  /** Qwen, SmolLM and many others. */
  CHATML(List.of("<|im_start|>"), new Turns("<|im_start|>%s\n", "<|im_end|>\n", false)),

  /** Llama 3. */
  LLAMA3(
      List.of("<|start_header_id|>", "<|end_header_id|>"),
      new Turns("<|start_header_id|>%s<|end_header_id|>\n\n", "<|eot_id|>", true)),

  /** Llama 2: what the system says stands inside the first of the user's turns. */
  LLAMA2(
      List.of("[INST]", "<<SYS>>"),
      new Exchange("[INST] ", "<<SYS>>\n", "\n<</SYS>>\n\n", " [/INST]", "", "</s><s>", false)),

  /** Mistral: the same without a word for the system, which goes before the user's. */
  MISTRAL(List.of("[INST]"), new Exchange("[INST] ", "", "\n\n", " [/INST]", "", "</s>", false)),

  /** Gemma, which has no system: its words begin the first of the user's turns. */
  GEMMA(
      List.of("<start_of_turn>"),
      new Exchange(
          "<start_of_turn>user\n",
          "",
          "\n\n",
          "<end_of_turn>\n",
          "<start_of_turn>model\n",
          "<end_of_turn>\n",
          true)),

  /** Zephyr and the TinyLlama that chats. */
  ZEPHYR(List.of("<|user|>", "<|assistant|>"), new Turns("<|%s|>\n", "</s>\n", false));

  /** How what is said is marked. */
  private sealed interface Form {
    void write(Role role, CharSequence words, boolean first, Pen pen);

    /** What makes the model speak. */
    String invitation();

    /** What stands behind the model's words. */
    String end();
  }

  /**
   * Every turn by itself, whoever speaks.
   *
   * @param head what goes before, with the speaker's name
   * @param strips whether spaces around the words are left out
   */
  private record Turns(String head, String end, boolean strips) implements Form {
    @Override
    public void write(Role role, CharSequence words, boolean first, Pen pen) {
      pen.mark(head.formatted(role.word()));
      pen.words(strips ? words.toString().strip() : words);
      pen.mark(end);
    }

    @Override
    public String invitation() {
      return head.formatted(Role.ASSISTANT.word());
    }
  }

  /**
   * The system's words begin the first of the user's turns.
   *
   * @param head of the user's turn
   * @param before what goes before the system's words, and {@code after} after them
   * @param tail of the user's turn
   * @param invitation head of the model's turn
   * @param strips whether spaces around the words are left out
   */
  private record Exchange(
      String head,
      String before,
      String after,
      String tail,
      String invitation,
      String end,
      boolean strips)
      implements Form {
    @Override
    public void write(Role role, CharSequence words, boolean first, Pen pen) {
      String opening =
          switch (role) {
            case SYSTEM -> head + before;
            case USER -> first ? head : "";
            case ASSISTANT -> invitation;
          };
      if (!opening.isEmpty()) pen.mark(opening);
      pen.words(strips ? words.toString().strip() : words);
      pen.mark(
          switch (role) {
            case SYSTEM -> after;
            case USER -> tail;
            case ASSISTANT -> end;
          });
    }
  }

  private static final String KEY = "tokenizer.chat_template";

  private final List<String> marks;
  private final Form form;

  ChatTemplate(List<String> marks, Form form) {
    this.marks = marks;
    this.form = form;
  }

  /** Takes what a template writes, piece by piece. */
  interface Pen {
    /** What the template itself says, in which special tokens are spelled out. */
    void mark(String text);

    /** What somebody says: only characters, whatever it looks like. */
    void words(CharSequence text);
  }

  /**
   * Writes a turn.
   *
   * @param first whether no turn, also none of the system, has opened this exchange yet
   */
  void write(Role role, CharSequence words, boolean first, Pen pen) {
    form.write(role, words, first, pen);
  }

  /** Writes what makes the model speak. */
  void invite(Pen pen) {
    if (!form.invitation().isEmpty()) pen.mark(form.invitation());
  }

  /** What stands behind the model's words. */
  String end() {
    return form.end();
  }

  /** As options spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The template of that name. */
  public static ChatTemplate named(String word) {
    for (ChatTemplate template : values()) if (template.word().equals(word)) return template;
    throw new ModelException("template '%s': %s".formatted(word, words()));
  }

  /** The template of a file. */
  static ChatTemplate of(Metadata metadata) {
    String program = metadata.has(KEY) ? metadata.string(KEY) : "";
    if (program.isBlank()) {
      throw new ModelException(
          "this model's file has no chat template: it may not be made for conversations;"
              + " --template takes "
              + words());
    }
    for (ChatTemplate template : values()) {
      if (template.marks.stream().allMatch(program::contains)) return template;
    }
    throw new ModelException(
        "this model's chat template is of no known family; --template takes " + words());
  }

  private static String words() {
    return Arrays.stream(values()).map(ChatTemplate::word).collect(Collectors.joining(", "));
  }
}
