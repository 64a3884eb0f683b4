package dev.ridgeline.model.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatTest {
  @TempDir private Path folder;

  /** A conversation as a family writes it, up to where the model speaks for the second time. */
  private static String written(ChatTemplate template, boolean system) {
    StringBuilder text = new StringBuilder();
    ChatTemplate.Pen pen =
        new ChatTemplate.Pen() {
          @Override
          public void mark(String mark) {
            text.append(mark);
          }

          @Override
          public void words(CharSequence words) {
            text.append(words);
          }
        };
    if (system) template.write(Role.SYSTEM, "Be kind.", true, pen);
    template.write(Role.USER, "Hi", !system, pen);
    template.invite(pen);
    text.append("Hello!").append(template.end());
    template.write(Role.USER, "Why?", true, pen);
    template.invite(pen);
    return text.toString();
  }

  // What the models' own Jinja programs give for the same turns, without the token that begins
  // texts.

  @Test
  void eachFamilyWritesAsItWasTrained() {
    assertThat(written(ChatTemplate.CHATML, true))
        .isEqualTo(
            """
            <|im_start|>system
            Be kind.<|im_end|>
            <|im_start|>user
            Hi<|im_end|>
            <|im_start|>assistant
            Hello!<|im_end|>
            <|im_start|>user
            Why?<|im_end|>
            <|im_start|>assistant
            """);
    assertThat(written(ChatTemplate.LLAMA3, true))
        .isEqualTo(
            "<|start_header_id|>system<|end_header_id|>\n\nBe kind.<|eot_id|>"
                + "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
                + "<|start_header_id|>assistant<|end_header_id|>\n\nHello!<|eot_id|>"
                + "<|start_header_id|>user<|end_header_id|>\n\nWhy?<|eot_id|>"
                + "<|start_header_id|>assistant<|end_header_id|>\n\n");
    assertThat(written(ChatTemplate.GEMMA, true))
        .isEqualTo(
            """
            <start_of_turn>user
            Be kind.

            Hi<end_of_turn>
            <start_of_turn>model
            Hello!<end_of_turn>
            <start_of_turn>user
            Why?<end_of_turn>
            <start_of_turn>model
            """);
    assertThat(written(ChatTemplate.ZEPHYR, false))
        .isEqualTo(
            "<|user|>\nHi</s>\n<|assistant|>\nHello!</s>\n<|user|>\nWhy?</s>\n<|assistant|>\n");
    assertThat(written(ChatTemplate.MISTRAL, false))
        .isEqualTo("[INST] Hi [/INST]Hello!</s>[INST] Why? [/INST]");
    assertThat(written(ChatTemplate.LLAMA2, true))
        .isEqualTo(
            "[INST] <<SYS>>\nBe kind.\n<</SYS>>\n\nHi [/INST]Hello!</s><s>[INST] Why? [/INST]");
  }

  @Test
  void aTurnGoesOnWithWhatTheModelRemembers() {
    Path model = folder.resolve("qwen.gguf");
    SynthModel.write(SynthShape.QWEN3_TINY, TensorType.F32, 1, model, _ -> {});
    try (Generator generator = Generator.open(model)) {
      Chat chat = new Chat(generator, ChatTemplate.CHATML, "Be kind to everyone you meet.");
      Sampling some = Sampling.GREEDY.withMaxTokens(8);
      Completion first = chat.say("Hello there, how are you today?", some, Listener.DEAF);
      Completion second = chat.say("And now?", some, Listener.DEAF);
      assertThat(first.sharedTokens()).isZero();
      int remembered = first.promptTokens() + first.ids().length - 1;
      assertThat(second.sharedTokens()).isEqualTo(remembered);
      assertThat(second.promptTokens()).isGreaterThan(remembered);
      assertThatThrownBy(() -> chat.say("long ".repeat(300), some, Listener.DEAF))
          .isInstanceOf(ModelException.class)
          .hasMessageContaining("this turn with what the model is told has ")
          .hasMessageEndingWith("say less");
      assertThatThrownBy(() -> chat.say("long ".repeat(190), some, Listener.DEAF))
          .isInstanceOf(ModelException.class)
          .hasMessageEndingWith("start over");
      int tokens = chat.tokens();
      Listener broken =
          (_, _, _, _) -> {
            throw new IllegalStateException("hung up");
          };
      assertThatThrownBy(() -> chat.say("Are you?", some, broken)).hasMessage("hung up");
      assertThat(chat.tokens()).isEqualTo(tokens);
      // The turns that were refused left nothing.
      Completion third = chat.say("Still there?", some, Listener.DEAF);
      assertThat(third.promptTokens()).isLessThan(tokens + 40);
    }
  }

  @Test
  void anUnknownTemplateIsAnswered() {
    assertThatThrownBy(() -> ChatTemplate.named("alpaca"))
        .isInstanceOf(ModelException.class)
        .hasMessage("template 'alpaca': chatml, llama3, llama2, mistral, gemma, zephyr");
    assertThat(ChatTemplate.named("gemma")).isEqualTo(ChatTemplate.GEMMA);
  }
}
