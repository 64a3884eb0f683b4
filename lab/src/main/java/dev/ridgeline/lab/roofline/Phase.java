package dev.ridgeline.lab.roofline;

import dev.ridgeline.report.roofline.Ceilings;
import java.util.List;

/**
 * A phase of using a model and how fast it could possibly go.
 *
 * @param name {@code prefill of 128 tokens}
 * @param unit what is counted: {@code tokens}
 * @param units how many of them one pass makes
 */
public record Phase(String name, String unit, int units, SpeedOfLight light) {
  /** Units a second that the machine allows. */
  public double rate() {
    return units / light.seconds();
  }

  /**
   * Embedding some texts together and one alone.
   *
   * @param tokens of each text
   */
  public static List<Phase> embedding(ModelWork work, int texts, int tokens, Ceilings roof) {
    String together = "%d texts of %d tokens together".formatted(texts, tokens);
    String alone = "a text of %d tokens alone".formatted(tokens);
    return List.of(
        new Phase(together, "texts", texts, SpeedOfLight.of(work.embed(texts, tokens), roof)),
        new Phase(alone, "texts", 1, SpeedOfLight.of(work.embed(1, tokens), roof)));
  }

  /**
   * Reading a prompt and writing a token behind others.
   *
   * @param tokens of the prompt
   * @param context tokens that the written one sees, its own included
   */
  public static List<Phase> generation(ModelWork work, int tokens, int context, Ceilings roof) {
    String prefill = "prefill of %d tokens".formatted(tokens);
    String decode = "decode at a context of %d".formatted(context);
    return List.of(
        new Phase(prefill, "tokens", tokens, SpeedOfLight.of(work.prefill(tokens), roof)),
        new Phase(decode, "tokens", 1, SpeedOfLight.of(work.decode(context), roof)));
  }
}
