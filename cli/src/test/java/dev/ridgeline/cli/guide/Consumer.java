package dev.ridgeline.cli.guide;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.tensor.Device;
import java.nio.file.Path;
import java.util.Arrays;

/** A program that has the library and nothing else: the vector of a text, and what computed it. */
public final class Consumer {
  private Consumer() {}

  public static void main(String[] args) {
    try (Embedder embedder = Embedder.open(Path.of(args[0]));
        Device device = Device.cpu(1)) {
      System.out.println(Arrays.toString(embedder.embed(args[1])));
      System.out.println(device.description());
    }
  }
}
