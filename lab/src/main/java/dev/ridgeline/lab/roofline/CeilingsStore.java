package dev.ridgeline.lab.roofline;

import dev.ridgeline.model.store.Cache;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.file.CeilingsJson;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.tensor.LargePages;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.CRC32;
import tools.jackson.core.JsonGenerator;

/**
 * Ceilings that were measured before, kept in the cache folder for each machine and JVM until they
 * are a week old.
 */
public final class CeilingsStore {
  private static final Duration FRESH = Duration.ofDays(7);

  /** So long a ceiling is kept that is higher than what is measured later. */
  private static final Duration KEPT = Duration.ofDays(30);

  /** Changes with what is measured: what was measured in another way is not comparable. */
  private static final String METHOD = "method 2";

  /** A machine that was busy when they were measured may be able to do more. */
  private static final Duration FRESH_IF_DISTURBED = Duration.ofMinutes(10);

  private final Path file;
  private final String key;
  private final InstantSource clock;
  private final Function<Progress, Ceilings> measurement;

  CeilingsStore(
      Path folder, String key, InstantSource clock, Function<Progress, Ceilings> measurement) {
    var sum = new CRC32();
    sum.update(key.getBytes(StandardCharsets.UTF_8));
    // The key itself is in the file; its sum only keeps machines apart that share a folder.
    this.file = folder.resolve("ceilings").resolve("%08x.json".formatted(sum.getValue()));
    this.key = key;
    this.clock = clock;
    this.measurement = measurement;
  }

  /** Those of this machine and JVM in a cache folder. */
  public static CeilingsStore in(Path folder) {
    String key = key(Machine.here(), CpuFeatures.here());
    return new CeilingsStore(folder, key, InstantSource.system(), CeilingsProbe::measure);
  }

  /** Those of this machine and JVM in this user's cache folder. */
  public static CeilingsStore usual() {
    return in(Cache.usualFolder(System.getenv()));
  }

  /** What ceilings depend on. */
  static String key(Machine machine, CpuFeatures cpu) {
    return String.join(
        " · ",
        List.of(
            machine.cpu() + " " + machine.microarchitecture(),
            machine.cores() + " cores",
            "limits " + machine.limits().cpus() + " " + machine.limits().memoryBytes(),
            machine.os(),
            machine.jvm().name() + " " + machine.jvm().version() + " " + machine.jvm().jit(),
            "large pages " + LargePages.Setting.here().name().toLowerCase(Locale.ROOT),
            METHOD,
            cpu.runnable() ? "assembled, %d bits".formatted(MachineLoops.bits(cpu)) : "vector"));
  }

  /** Kept ones that are fresh, else measured now and kept. */
  public Ceilings here(Progress progress) {
    Optional<Ceilings> kept = read(progress);
    return kept.isPresent() && fresh(kept.get()) ? kept.get() : measure(progress, false).roof();
  }

  /** Kept ones, however old; empty where there are none. */
  public Optional<Ceilings> kept() {
    return read(Progress.SILENT);
  }

  /** Where they are kept, if they are. */
  public Optional<Path> file() {
    return kept().map(_ -> file);
  }

  /** Whether ceilings may still be believed. */
  public boolean fresh(Ceilings ceilings) {
    Duration age = Duration.between(ceilings.measured(), clock.instant());
    Duration good = ceilings.disturbed() ? FRESH_IF_DISTURBED : FRESH;
    // A clock that was wrong when they were measured makes them come from the future.
    return age.compareTo(good) < 0 && age.compareTo(good.negated()) > 0;
  }

  /**
   * A measurement.
   *
   * @param roof what is kept from now on
   * @param now what was measured now, in places lower
   */
  public record Measured(Ceilings roof, Ceilings now) {}

  /**
   * Measures now, and keeps the higher of each ceiling and the one before, with the data sheet's
   * peaks.
   *
   * @param replace whether to forget the ones before
   */
  public Measured measure(Progress progress, boolean replace) {
    Ceilings now = measurement.apply(progress);
    Ceilings before = kept().orElse(Ceilings.NONE);
    Instant since = replace ? Instant.MAX : now.measured().minus(KEPT);
    Ceilings roof = Sheet.of(before).on(now.orHigher(before, since));
    try {
      write(roof);
    } catch (FileException e) {
      progress.note("the ceilings are not kept: " + e.getMessage());
    }
    return new Measured(roof, now);
  }

  /** Keeps ceilings in place of those there. */
  public void write(Ceilings ceilings) {
    WholeFile.writeInFolder(
        file,
        out -> {
          try (JsonGenerator json = Json.indented(out)) {
            CeilingsJson.SCHEMA.begin(json);
            json.writeStringProperty("machine", key);
            CeilingsJson.write(json, ceilings);
            json.writeEndObject();
          }
        });
  }

  private Optional<Ceilings> read(Progress progress) {
    if (!Files.exists(file)) return Optional.empty();
    try {
      JsonObject json = Json.read(file, CeilingsJson.SCHEMA);
      if (!json.text("machine").equals(key)) return Optional.empty();
      return Optional.of(CeilingsJson.read(json));
    } catch (FileException e) {
      progress.note(e.getMessage() + "; the ceilings are measured again");
      return Optional.empty();
    }
  }
}
