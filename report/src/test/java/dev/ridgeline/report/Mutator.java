package dev.ridgeline.report;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Damages a JSON text as disks, editors and attackers do; the same damage for the same seed. */
public final class Mutator {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?(E-?\\d+)?");
  private static final Pattern PIECE =
      Pattern.compile("\"[^\"]*\":?|-?[\\d.]+|\\[[^\\[\\]{}]*]|\\{[^{}]*}|[,:\\[\\]{}]|true|false");
  private static final String[] NUMBERS = {
    "0",
    "-1",
    "-2",
    "-3",
    "1",
    "319",
    "320",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e999",
    "1.5",
    "NaN",
    "1".repeat(100)
  };
  private static final String[] PIECES = {
    "",
    "null",
    "true",
    "\"\"",
    "\"\\uD800\"",
    "[]",
    "{}",
    "[[]]",
    "[1,\"a\"]",
    "{\"a\":{}}",
    ",",
    "}",
    "]",
    "[".repeat(5000),
    "{\"a\":".repeat(5000),
    "\"" + "x".repeat(100_000) + "\"",
    "\u0000",
    "/*"
  };

  private Mutator() {}

  /** One to three kinds of damage, one after the other. */
  public static byte[] mutate(byte[] json, long seed) {
    Random random = new Random(seed);
    byte[] damaged = json;
    for (int i = 1 + random.nextInt(3); i > 0; i--) damaged = once(damaged, random);
    return damaged;
  }

  private static byte[] once(byte[] json, Random random) {
    if (json.length == 0) return json;
    return switch (random.nextInt(7)) {
      case 0 -> flip(json, random);
      case 1 -> Arrays.copyOf(json, random.nextInt(json.length));
      case 2 -> cut(json, random);
      case 3, 4 -> replace(json, NUMBER, NUMBERS, random);
      case 5 -> replace(json, PIECE, PIECES, random);
      default -> twice(json, random);
    };
  }

  private static byte[] flip(byte[] json, Random random) {
    byte[] damaged = json.clone();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      damaged[random.nextInt(json.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return damaged;
  }

  private static byte[] cut(byte[] json, Random random) {
    int from = random.nextInt(json.length);
    int to = Math.min(json.length, from + 1 + random.nextInt(40));
    return join(Arrays.copyOf(json, from), Arrays.copyOfRange(json, to, json.length));
  }

  private static byte[] twice(byte[] json, Random random) {
    int from = random.nextInt(json.length);
    int to = Math.min(json.length, from + 1 + random.nextInt(40));
    return join(Arrays.copyOf(json, to), Arrays.copyOfRange(json, from, json.length));
  }

  private static byte[] replace(byte[] json, Pattern what, String[] by, Random random) {
    String text = new String(json, StandardCharsets.ISO_8859_1);
    List<MatchResult> all = new ArrayList<>(what.matcher(text).results().toList());
    if (all.isEmpty()) return json;
    MatchResult one = all.get(random.nextInt(all.size()));
    String other =
        random.nextBoolean()
            ? all.get(random.nextInt(all.size())).group()
            : by[random.nextInt(by.length)];
    return (text.substring(0, one.start()) + other + text.substring(one.end()))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] join(byte[] head, byte[] tail) {
    byte[] whole = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, whole, head.length, tail.length);
    return whole;
  }
}
