package dev.ridgeline.model.tokenizer;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A JSON file with a few bytes changed, lost, doubled or moved. */
final class Damage {
  private Damage() {}

  static byte[] of(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      int length = 1 + random.nextInt(Math.min(40, bytes.length - at));
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "{}[]\",:0123456789-eE.\\tfn".charAt(random.nextInt(25));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 3 -> bytes = spliced(bytes, at, at + length, new byte[0]);
        case 4 -> bytes = spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, at + length));
        default -> {
          int from = random.nextInt(bytes.length - length + 1);
          bytes = spliced(bytes, at, at + length, Arrays.copyOfRange(bytes, from, from + length));
        }
      }
    }
    return bytes;
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    byte[] spliced = new byte[bytes.length - (to - from) + middle.length];
    System.arraycopy(bytes, 0, spliced, 0, from);
    System.arraycopy(middle, 0, spliced, from, middle.length);
    System.arraycopy(bytes, to, spliced, from + middle.length, bytes.length - to);
    return spliced.length == 0 ? new byte[1] : spliced;
  }
}
