package dev.ridgeline.cli.line;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * An option that a command offers: its name, its type and what it is when nobody gives it.
 *
 * <p>It is declared by its usage, as the help shows it: {@code -m, --model MODEL}.
 *
 * @param name as typed, {@code --top}
 * @param shortName as typed by those in a hurry, {@code -m}, or null
 * @param type of the value; picocli converts it
 * @param label what stands for the value in the help, or "" for a flag
 * @param preset the value when nothing is given, or null
 * @param bare the value when the option is given without one, or null when it needs one
 * @param environment the variable that replaces the preset, or null
 * @param description one sentence for the help
 */
public record Setting<T>(
    String name,
    String shortName,
    Class<T> type,
    String label,
    String preset,
    String bare,
    String environment,
    String description) {
  private static final Pattern USAGE = Pattern.compile("(?:(-\\w), )?(-\\S+)(?: (.+))?");

  private static <T> Setting<T> of(String usage, Class<T> type, Object preset, String description) {
    Matcher words = USAGE.matcher(usage);
    if (!words.matches())
      throw new IllegalArgumentException(usage + ": is not the usage of an option");
    String label = words.group(3) == null ? "" : words.group(3);
    String value = preset == null ? null : preset.toString().replaceFirst("^(-?\\d+)\\.0$", "$1");
    return new Setting<>(
        words.group(2), words.group(1), type, label, value, null, null, description);
  }

  /** A switch that is off unless given. */
  public static Setting<Boolean> flag(String usage, String description) {
    return of(usage, Boolean.class, false, description);
  }

  @SuppressWarnings("unchecked")
  public static <N extends Number> Setting<N> number(String usage, N preset, String description) {
    return of(usage, (Class<N>) preset.getClass(), preset, description);
  }

  /** A number that may be absent. */
  public static <N extends Number> Setting<N> number(
      String usage, Class<N> type, String description) {
    return of(usage, type, null, description);
  }

  /** A whole number that may be absent. */
  public static Setting<Integer> number(String usage, String description) {
    return number(usage, Integer.class, description);
  }

  public static Setting<String> text(String usage, String preset, String description) {
    return of(usage, String.class, preset, description);
  }

  /** A text that may be absent. */
  public static Setting<String> text(String usage, String description) {
    return text(usage, null, description);
  }

  /** A text that may be given several times. */
  public static Setting<String[]> texts(String usage, String description) {
    return of(usage, String[].class, null, description);
  }

  public static Setting<Path> path(String usage, String preset, String description) {
    return of(usage, Path.class, preset, description);
  }

  /** A path that may be absent. */
  public static Setting<Path> path(String usage, String description) {
    return path(usage, null, description);
  }

  /** One of an enum's constants, in any case. */
  public static <E extends Enum<E>> Setting<E> choice(
      String usage, Class<E> type, E preset, String description) {
    String value = preset == null ? null : preset.name().toLowerCase(Locale.ROOT);
    return of(usage, type, value, description);
  }

  /** One of an enum's constants, or none. */
  public static <E extends Enum<E>> Setting<E> choice(
      String usage, Class<E> type, String description) {
    return choice(usage, type, null, description);
  }

  /** The same with an environment variable that counts when the option is not given. */
  public Setting<T> orEnvironment(String variable) {
    return new Setting<>(name, shortName, type, label, preset, bare, variable, description);
  }

  /**
   * The same that may be given without a value. A word behind it is its value if it can be one, and
   * else the command's own.
   */
  public Setting<T> orBare(String value) {
    return new Setting<>(name, shortName, type, label, preset, value, environment, description);
  }

  boolean isFlag() {
    return type == Boolean.class;
  }

  /** What the environment says, or null. */
  String fromEnvironment() {
    if (environment == null) return null;
    String value = System.getenv(environment);
    return value == null || value.isBlank() ? null : value;
  }

  /** As an option that no other shares its name with. */
  public OptionSpec spec() {
    return spec(List.of(this), _ -> "");
  }

  /** The option of settings that share their name and type: it has the value that one gives it. */
  static OptionSpec spec(List<Setting<?>> same, Function<Setting<?>, String> owners) {
    Setting<?> first = same.getFirst();
    var spec =
        (first.shortName == null
                ? OptionSpec.builder(first.name)
                : OptionSpec.builder(first.shortName, first.name))
            .type(first.type)
            .description(help(same, owners));
    if (first.type.isEnum()) spec.converters(first::constant);
    if (Number.class.isAssignableFrom(first.type)) spec.converters(first::number);
    if (first.isFlag()) return spec.arity("0").defaultValue(first.preset).build();
    String environmental = first.fromEnvironment();
    if (first.bare != null) {
      spec.fallbackValue(first.bare).preprocessor(first::leaveOtherWords);
    }
    String unlessGiven = environmental == null ? first.preset : environmental;
    return spec.arity(first.bare == null ? "1" : "0..1")
        .paramLabel(first.label)
        .defaultValue(same.size() == 1 ? unlessGiven : null)
        .build();
  }

  /** What it is when not given, where picocli could not know which of several that share a name. */
  T unlessGiven() {
    if (preset == null) return null;
    if (type.isEnum()) return constant(preset);
    return Number.class.isAssignableFrom(type) ? number(preset) : type.cast(preset);
  }

  /**
   * Gives the bare value to an option that is followed by something else: {@code --sample kernels}.
   */
  private boolean leaveOtherWords(
      Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    boolean attached = !" ".equals(info.get("separator"));
    if (!attached && (words.isEmpty() || !isValue(words.peek()))) words.push(bare);
    return false; // picocli goes on as if that had been typed
  }

  private boolean isValue(String word) {
    T[] constants = type.getEnumConstants();
    return constants != null
        && Arrays.stream(constants).anyMatch(one -> one.toString().equalsIgnoreCase(word));
  }

  /** One of an enum's constants; else they are listed as they are typed. */
  private T constant(String word) {
    for (T one : type.getEnumConstants()) if (one.toString().equalsIgnoreCase(word)) return one;
    String words =
        Arrays.stream(type.getEnumConstants())
            .map(one -> one.toString().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    throw new TypeConversionException("'%s' is none of %s".formatted(word, words));
  }

  /** A number; else what would be one is said, for picocli would name Java's type. */
  private T number(String word) {
    try {
      BigDecimal number = new BigDecimal(word);
      Number value =
          type == Integer.class
              ? (Number) number.intValueExact()
              : type == Long.class
                  ? (Number) number.longValueExact()
                  : type == Float.class ? (Number) number.floatValue() : number.doubleValue();
      if (Double.isFinite(value.doubleValue())) return type.cast(value);
    } catch (NumberFormatException _) {
      // Said below, as what is out of range is.
    } catch (ArithmeticException _) {
      if (isInteger() && word.matches("[+-]?\\d+")) {
        throw new TypeConversionException("%s is out of range".formatted(word));
      }
    }
    String example = preset == null ? isInteger() ? "8" : "0.5" : preset;
    throw new TypeConversionException(
        "'%s' is not a %s, such as %s"
            .formatted(word, isInteger() ? "whole number" : "number", example));
  }

  private boolean isInteger() {
    return type == Integer.class || type == Long.class;
  }

  /** Percent signs would be read as format specifiers by picocli. */
  private static String help(List<Setting<?>> same, Function<Setting<?>, String> owners) {
    return words(same, owners).replace("%", "%%");
  }

  private static String words(List<Setting<?>> same, Function<Setting<?>, String> owners) {
    if (same.size() == 1) return same.getFirst().help();
    if (same.stream().map(Setting::description).distinct().count() > 1) {
      return same.stream()
          .map(one -> owners.apply(one) + ": " + one.help())
          .collect(Collectors.joining(" "));
    }
    return same.stream()
        .map(one -> one.preset + " for " + owners.apply(one))
        .collect(Collectors.joining(", ", same.getFirst().description + " (default: ", ")"));
  }

  private String help() {
    if (isFlag() || preset == null) return description;
    boolean address = type == Path.class || preset.contains("://");
    String value = address ? HelpText.unbroken(preset) : preset;
    return description
        + (environment == null
            ? " (default: " + value + ")"
            : " (default: $" + environment + ", else " + value + ")");
  }
}
