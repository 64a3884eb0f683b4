package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.imports.TokenizerJson;
import dev.ridgeline.oracle.Allocated;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** As a program: encodes texts twice, and says what the second time allocated. */
final class EncodedAgain {
  private EncodedAgain() {}

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    boolean json = args[0].endsWith(".json");
    Tokenizer tokenizer = json ? TokenizerJson.read(file).tokenizer() : SteadyStateTest.read(file);
    List<String> texts = SteadyStateTest.texts();
    Tokens tokens = new Tokens();
    Allocated.again(texts.size() + " texts", () -> encode(tokenizer, texts, tokens));
  }

  private static void encode(Tokenizer tokenizer, List<String> texts, Tokens tokens) {
    for (int i = 0; i < texts.size(); i++) {
      tokens.clear();
      tokenizer.encode(texts.get(i), tokens);
    }
  }
}
