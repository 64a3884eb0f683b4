package dev.ridgeline.cli;

import dev.ridgeline.report.run.Again;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * The one place where a command reads its options, which remembers which were given and which were
 * read: an option that was given and reached nothing must be called out, not believed.
 *
 * <pre>{@code
 * static final Setting<Integer> TOP = Setting.number("--top", "N", 20, "rows to show");
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

  /** Where the value in force comes from; asking is not reading. */
  public Origin origin(Setting<?> setting) {
    var parsed = command.commandLine().getParseResult();
    if (parsed != null && parsed.hasMatchedOption(setting.name())) return Origin.COMMAND_LINE;
    return setting.fromEnvironment() == null ? Origin.DEFAULT : Origin.ENVIRONMENT;
  }

  /** An option as it was typed, to end another command; empty where it was not. */
  public String typed(Setting<?> setting) {
    if (origin(setting) != Origin.COMMAND_LINE) return "";
    return " %s %s".formatted(setting.name(), Again.quoted(value(setting).toString()));
  }

  /** Whether the user asked for it, on the command line or in the environment. */
  public boolean given(Setting<?> setting) {
    return origin(setting) != Origin.DEFAULT;
  }

  /** Every option as a run records it. */
  public List<Run.Option> asOptions() {
    return choices().stream()
        .map(
            choice ->
                new Run.Option(
                    choice.name(),
                    choice.value() == null ? "" : choice.value(),
                    choice.origin() == Origin.COMMAND_LINE,
                    choice.read()))
        .toList();
  }

  /** Every option with its value, where that came from, and whether anything has read it. */
  public List<Choice> choices() {
    Map<String, Choice> byName = new LinkedHashMap<>();
    for (var setting : settings) {
      // Of several that share a name, the one that was read had its say.
      if (!byName.containsKey(setting.name()) || read.contains(setting)) {
        byName.put(setting.name(), choice(setting));
      }
    }
    return List.copyOf(byName.values());
  }

  /** Options that the user typed and nothing has read; a variable is meant for every command. */
  public List<String> givenButNeverRead() {
    return choices().stream()
        .filter(c -> c.origin() == Origin.COMMAND_LINE && !c.read())
        .map(Choice::name)
        .toList();
  }

  private Choice choice(Setting<?> setting) {
    Object value = value(setting);
    return new Choice(
        setting.name(),
        value instanceof String[] texts
            ? String.join(",", texts)
            : value == null ? null : value.toString(),
        origin(setting),
        read.contains(setting));
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

  /** Where a value comes from. */
  public enum Origin {
    DEFAULT,
    ENVIRONMENT,
    COMMAND_LINE
  }

  /**
   * An option as a run records it.
   *
   * @param value as text, or null when there is none
   */
  public record Choice(String name, String value, Origin origin, boolean read) {}
}
