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
  CHATML(List.of("<|im_start|>")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      pen.mark("<|im_start|>" + role.word() + "\n");
      pen.words(words);
      pen.mark("<|im_end|>\n");
    }

    @Override
    void invite(Pen pen) {
      pen.mark("<|im_start|>assistant\n");
    }

    @Override
    String end() {
      return "<|im_end|>\n";
    }
  },

  /** Llama 3. */
  LLAMA3(List.of("<|start_header_id|>", "<|end_header_id|>")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      pen.mark("<|start_header_id|>" + role.word() + "<|end_header_id|>\n\n");
      pen.words(words.toString().strip());
      pen.mark("<|eot_id|>");
    }

    @Override
    void invite(Pen pen) {
      pen.mark("<|start_header_id|>assistant<|end_header_id|>\n\n");
    }

    @Override
    String end() {
      return "<|eot_id|>";
    }
  },

  /** Llama 2: what the system says stands inside the first of the user's turns. */
  LLAMA2(List.of("[INST]", "<<SYS>>")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      instruct(role, words, first, "<<SYS>>\n", "\n<</SYS>>\n\n", pen);
    }

    @Override
    String end() {
      return "</s><s>";
    }
  },

  /** Mistral: the same without a word for the system, which goes before the user's. */
  MISTRAL(List.of("[INST]")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      instruct(role, words, first, "", "\n\n", pen);
    }

    @Override
    String end() {
      return "</s>";
    }
  },

  /** Gemma, which has no system: its words begin the first of the user's turns. */
  GEMMA(List.of("<start_of_turn>")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      switch (role) {
        case SYSTEM -> {
          pen.mark("<start_of_turn>user\n");
          pen.words(words.toString().strip());
          pen.mark("\n\n");
        }
        case USER -> {
          if (first) pen.mark("<start_of_turn>user\n");
          pen.words(words.toString().strip());
          pen.mark(end());
        }
        case ASSISTANT -> {
          pen.mark("<start_of_turn>model\n");
          pen.words(words.toString().strip());
          pen.mark(end());
        }
      }
    }

    @Override
    void invite(Pen pen) {
      pen.mark("<start_of_turn>model\n");
    }

    @Override
    String end() {
      return "<end_of_turn>\n";
    }
  },

  /** Zephyr and the TinyLlama that chats. */
  ZEPHYR(List.of("<|user|>", "<|assistant|>")) {
    @Override
    void write(Role role, CharSequence words, boolean first, Pen pen) {
      pen.mark("<|" + role.word() + "|>\n");
      pen.words(words);
      pen.mark(end());
    }

    @Override
    void invite(Pen pen) {
      pen.mark("<|assistant|>\n");
    }

    @Override
    String end() {
      return "</s>\n";
    }
  };

  private static final String KEY = "tokenizer.chat_template";

  private final List<String> marks;

  ChatTemplate(List<String> marks) {
    this.marks = marks;
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
  abstract void write(Role role, CharSequence words, boolean first, Pen pen);

  /** A turn of the kind {@code [INST] … [/INST]}, with the marks around what the system says. */
  void instruct(
      Role role, CharSequence words, boolean first, String before, String behind, Pen pen) {
    switch (role) {
      case SYSTEM -> {
        pen.mark("[INST] " + before);
        pen.words(words);
        pen.mark(behind);
      }
      case USER -> {
        if (first) pen.mark("[INST] ");
        pen.words(words);
        pen.mark(" [/INST]");
      }
      case ASSISTANT -> {
        pen.words(words);
        pen.mark(end());
      }
    }
  }

  /** Writes what makes the model speak. */
  void invite(Pen pen) {}

  /** What stands behind the model's words. */
  abstract String end();

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
