package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.profiler.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A command with {@code --profile} is {@code profile COMMAND}: one code path, every option. */
public final class AsProfile {
  private static final String OPTION = "--profile";
  private static final Set<String> COMMANDS = Set.of("embed", "generate", "train");

  /** Of which {@code -p} is short for it; others have a prompt there. */
  private static final String TRAIN = "train";

  private AsProfile() {}

  /**
   * A level by its name; another word is a {@link Problem}.
   *
   * @param option as it was typed
   */
  public static Level level(String option, String word) {
    for (Level level : Level.values()) {
      if (level != Level.OFF && level.name().equalsIgnoreCase(word)) return level;
    }
    throw new Problem("%s %s: time, allocation or trace".formatted(option, word));
  }

  /** The option of a command that can be profiled. */
  public static Setting<String> setting(String command) {
    return Setting.text(
            (command.equals(TRAIN) ? "-p, " : "") + OPTION + " LEVEL",
            "The same as profile %s: time, allocation (when not said) or trace.".formatted(command))
        .orBare("allocation");
  }

  /** What the command itself says to the option, which never comes so far but behind a --. */
  public static void refuse(Settings settings, Setting<String> option) {
    if (!settings.given(option)) return;
    throw new Problem("--profile: not with --; put texts that begin with - into a file");
  }

  /**
   * What was typed, as {@code profile} takes it.
   *
   * @param typed a whole command line
   */
  public static String[] orProfile(String... typed) {
    List<String> words = new ArrayList<>(Arrays.asList(typed));
    int command = 0;
    while (command < typed.length && typed[command].startsWith("-")) command++;
    // Behind a -- profile would find a program to start.
    if (command == typed.length || !COMMANDS.contains(typed[command]) || words.contains("--")) {
      return typed;
    }
    for (int i = command + 1; i < typed.length; i++) {
      String word = typed[i];
      if (typed[command].equals(TRAIN)) word = word.replaceFirst("^-p(?=$|=)", OPTION);
      boolean bare = word.equals(OPTION);
      if (!bare && !word.startsWith(OPTION + "=")) continue;
      if (bare) words.remove(i);
      else {
        String level = word.substring(OPTION.length() + 1);
        level(typed[i].replaceFirst("=.*", ""), level);
        words.set(i, "--level=" + level);
      }
      words.add(command, "profile");
      return words.toArray(String[]::new);
    }
    return typed;
  }
}
