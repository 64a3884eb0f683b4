package dev.ridgeline.cli.line;

import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * The one place where a command reads its options, which remembers which were given and which were
 * read: an option that was given and reached nothing must be called out, not believed.
 *
 * <pre>{@code
 * static final Setting<Integer> TOP = Setting.number("--top N", 20, "rows to show");
 *
 * @Mixin Settings settings = new Settings(TOP);
 * …
 * int top = settings.read(TOP);
 * }</pre>
 *
 * <p>Settings of a command's parts may share a name, and differ in what they are when not given.
 */
@Command // picocli refuses a mixin without an annotation
public final class Settings {
  private final List<Setting<?>> settings;
  private final Function<Setting<?>, String> owners;
  private final Set<Setting<?>> read = ConcurrentHashMap.newKeySet();
  private CommandSpec command;

  public Settings(Setting<?>... settings) {
    this(List.of(settings), _ -> "");
  }

  /**
   * Settings of which some share a name.
   *
   * @param owners whose each is, as the help says it
   */
  public Settings(List<Setting<?>> settings, Function<Setting<?>, String> owners) {
    this.settings = List.copyOf(settings);
    this.owners = owners;
  }

  /** Settings that several commands share, and some more. */
  public static List<Setting<?>> with(List<Setting<?>> shared, Setting<?>... own) {
    return Stream.concat(shared.stream(), Stream.of(own)).toList();
  }

  @Spec(Spec.Target.MIXEE)
  void declareOn(CommandSpec command) {
    this.command = command;
    Map<String, List<Setting<?>>> byName = new LinkedHashMap<>();
    for (var setting : settings) {
      byName.computeIfAbsent(setting.name(), _ -> new ArrayList<>()).add(setting);
    }
    for (var same : byName.values()) command.addOption(Setting.spec(same, owners));
  }

  /** The value in force; from now on the option counts as read. */
  public <T> T read(Setting<T> setting) {
    read.add(setting);
    T value = value(setting);
    if (value instanceof String[] texts) {
      for (String text : texts) {
        if (text.isBlank()) throw new Problem(setting.name() + " '" + text + "': is empty");
      }
    }
    if (value != null && value.toString().isBlank()) {
      throw new Problem(setting.name() + " '" + value + "': is empty");
    }
    if (value != null && isPlaceholder(value)) {
      throw new Problem("%s '%s': replace the dots with a value".formatted(setting.name(), value));
    }
    return value;
  }

  /** Dots in an example are what a reader must fill in, and are copied with it. */
  private static boolean isPlaceholder(Object value) {
    String text = value.toString().strip();
    return text.equals("…") || text.equals("...");
  }

  /** A number that has to be at least 1. */
  public int positive(Setting<Integer> setting) {
    return positive(setting, Integer.MAX_VALUE);
  }

  /** The same, no more than so many. */
  public int positive(Setting<Integer> setting, int most) {
    return requireWithin(setting, read(setting), most);
  }

  /** Refuses a number below 1 or above the most. */
  public static int requireWithin(Setting<Integer> setting, int value, int most) {
    if (value < 1) throw new Problem(setting.name() + " " + value + ": at least 1");
    if (value > most) throw new Problem(setting.name() + " " + value + ": at most " + most);
    return value;
  }

  /** Whether the user typed it; asking is not reading. */
  public boolean typed(Setting<?> setting) {
    var parsed = command.commandLine().getParseResult();
    return parsed != null && parsed.hasMatchedOption(setting.name());
  }

  /** Whether the user asked for it, on the command line or in the environment. */
  public boolean given(Setting<?> setting) {
    return typed(setting) || setting.fromEnvironment() != null;
  }

  /** An option as it was typed, to end another command; empty where it was not. */
  public String again(Setting<?> setting) {
    if (!typed(setting)) return "";
    return " %s %s".formatted(setting.name(), Again.quoted(value(setting).toString()));
  }

  /** Every option as a run records it. */
  public List<Run.Option> asOptions() {
    Map<String, Run.Option> byName = new LinkedHashMap<>();
    for (var setting : settings) {
      // Of several that share a name, the one that was read had its say.
      if (!byName.containsKey(setting.name()) || read.contains(setting)) {
        byName.put(setting.name(), asOption(setting));
      }
    }
    return List.copyOf(byName.values());
  }

  private Run.Option asOption(Setting<?> setting) {
    Object value = value(setting);
    String text =
        value instanceof String[] texts ? String.join(",", texts) : Objects.toString(value, "");
    boolean isRead = read.contains(setting);
    // A variable of the environment is meant for many commands: it counts where it is read.
    return new Run.Option(setting.name(), text, typed(setting) || isRead && given(setting), isRead);
  }

  /** Options that the user typed and nothing has read; a variable is meant for every command. */
  public List<String> givenButNeverRead() {
    return asOptions().stream()
        .filter(option -> option.given() && !option.read())
        .map(Run.Option::name)
        .toList();
  }

  /** The value in force, to be checked; asking is not reading. */
  public <T> T value(Setting<T> setting) {
    OptionSpec option = command.findOption(setting.name());
    if (option == null || !settings.contains(setting)) {
      throw new IllegalArgumentException(setting.name() + " is not an option of " + command.name());
    }
    Object value = option.getValue();
    return value == null ? setting.unlessGiven() : setting.type().cast(value);
  }
}
