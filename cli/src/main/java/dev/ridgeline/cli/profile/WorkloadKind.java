package dev.ridgeline.cli.profile;

import dev.ridgeline.cli.Setting;
import dev.ridgeline.cli.Settings;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of workload: its name on the command line, its options, and how one is made from them.
 *
 * @param name as typed: {@code kernels}
 * @param settings the options it reads
 * @param make makes one; what is wrong with the options is a {@link dev.ridgeline.cli.Problem}
 */
public record WorkloadKind(
    String name, List<Setting<?>> settings, Function<Settings, Workload> make) {}
