package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.workload.WorkloadKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of one workload: its options and those of all, and its examples. */
final class WorkloadHelp {
  private WorkloadHelp() {}

  /**
   * Leaves out of a command what other workloads read. Nothing can be parsed with it after that.
   *
   * @param all that it declares
   * @param common those that every workload has
   */
  static void narrow(
      CommandSpec command, WorkloadKind kind, List<Setting<?>> all, List<Setting<?>> common) {
    Set<String> names = all.stream().map(Setting::name).collect(Collectors.toSet());
    for (ArgSpec each : new ArrayList<>(command.args())) {
      if (!(each instanceof OptionSpec option) || names.contains(option.longestName())) {
        command.remove(each);
      }
    }
    Stream.concat(kind.settings().stream(), common.stream())
        .distinct()
        .forEach(setting -> command.addOption(setting.spec()));
    UsageMessageSpec usage = command.usageMessage();
    String name = command.qualifiedName() + " " + kind.name();
    usage.customSynopsis((name + " " + kind.words()).strip() + " [OPTIONS]");
    usage.description(kind.summary());
    String[] examples =
        Arrays.stream(usage.footer())
            .filter(line -> !line.startsWith("  ") || (line + " ").startsWith("  " + name + " "))
            .toArray(String[]::new);
    usage.footer(examples);
  }
}
