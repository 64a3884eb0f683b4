package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.Pace.Length;
import dev.ridgeline.cli.workload.Recording;
import dev.ridgeline.cli.workload.Steadiness;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Finish;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Series;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The same prompts continued again and again: rates, latency by position, where the time goes. */
public final class GenerateWorkload implements Workload {
  private static final Scope ROUND = Scope.of("generate");

  /** A round of the warm-up ends after so long: many short ones tell sooner that it is over. */
  private static final long WARM_UP_ROUND_NANOS = 1_000_000_000L;

  private static final CompilationMXBean JIT = ManagementFactory.getCompilationMXBean();

  /** Rounds of a short measured phase at least. */
  private static final int FEWEST = 2;

  /**
   * What is run.
   *
   * @param name a word for it, the scope around it where several run together; or ""
   * @param model its name in full
   * @param instead why this is not the model that was asked for, or ""
   * @param iterations passes over all prompts; made-up ones are a round each
   * @param atLeast seconds to measure: passes are repeated until they are over; 0 to count them
   * @param warmUp seconds of warming up at most; a round is always run
   * @param pace what keeps it short, where nobody said how much to do
   */
  public record Plan(
      String name,
      String model,
      Path file,
      String instead,
      GeneratorOptions options,
      Prompts prompts,
      Sampling sampling,
      int iterations,
      double atLeast,
      double warmUp,
      Pace pace) {}

  private final Plan plan;

  /** What is measured: less than planned where the machine is slow. */
  private Length length;

  private final Scope around;
  private final Passes passes = new Passes();

  /** A pass over all prompts: made-up ones one by one, others together. */
  private final List<int[][]> rounds = new ArrayList<>();

  private final List<List<Completion>> results = new ArrayList<>();
  private final Generator generator;
  private final CallTree.Node load;
  private final Steadiness steadiness = new Steadiness();

  /** Why it is not warm; null when it is, or was not warmed up. */
  private String cold;

  private long roundEnds;

  /** Tokens of all that the profile holds, also of a round that was broken off. */
  private long made;

  private volatile boolean measuring;
  private volatile boolean cancelled;

  public GenerateWorkload(Plan plan) {
    this.plan = plan;
    this.length = new Length(plan.sampling().maxTokens(), plan.iterations());
    this.around = plan.name().isEmpty() ? null : Scope.of(plan.name());
    // What was warmed up is what is measured; so loading it has a session of its own.
    Generator[] opened = new Generator[1];
    Profile loading =
        Recording.session(
            Options.of(Level.TIME), () -> opened[0] = Generator.open(plan.file(), plan.options()));
    this.generator = opened[0];
    this.load = loading.tree().find("load");
    try {
      int[][] ids = plan.prompts().encode(generator, plan.sampling().seed());
      generator.check(ids, plan.prompts()::place);
      if (plan.prompts().apart()) {
        for (int[] each : ids) rounds.add(new int[][] {each});
      } else {
        rounds.add(ids);
      }
    } catch (RuntimeException | Error e) {
      generator.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return "generate";
  }

  @Override
  public String title() {
    int most = length.units();
    String each = plan.prompts().count() == 1 ? "" : " each";
    boolean once = plan.atLeast() > 0 || length.passes() == 1;
    return "%s · %s · %s%s · %s%s"
        .formatted(
            plan.model(),
            plan.prompts().title(rounds.getFirst()),
            most == 0 ? "until the context is full" : "up to %,d more%s".formatted(most, each),
            once ? "" : ", %,d times".formatted(length.passes()),
            Quantity.many(Long.parseLong(generator.plan().get("workers")), "worker"),
            cancelled ? " · interrupted " + interruption() : "");
  }

  private String interruption() {
    String done = "after " + Quantity.count(results.size());
    if (plan.atLeast() > 0) return done + " rounds";
    return done + " of " + Quantity.many(planned(), "round");
  }

  /** Rounds to measure at least. */
  private long planned() {
    if (plan.atLeast() > 0) return Math.max(FEWEST, rounds.size());
    return (long) length.passes() * rounds.size();
  }

  @Override
  public void warmUp(Progress progress) {
    Pace.WarmUp time = plan.pace().warmUp(plan.warmUp());
    generator.observe(passes);
    do {
      progress.step("warming up%s %d".formatted(of(), steadiness.rounds() + 1));
      roundEnds = System.nanoTime() + WARM_UP_ROUND_NANOS;
      round(steadiness.rounds() % rounds.size());
      passes.end();
      Passes.Round last = passes.rounds().getLast();
      steadiness.add(
          last.nanos(),
          last.promptTokens() + last.tokens(),
          last.allocatedBytes(),
          JIT == null ? 0 : JIT.getTotalCompilationTime());
      cold = steadiness.cold();
    } while (cold != null && time.mayGoOn(passes.speed(), length));
    List<Long> nanos = passes.rounds().stream().map(Passes.Round::nanos).toList();
    progress.log("warm-up rounds, ns: " + nanos);
    length = plan.pace().length(passes.speed(), length);
  }

  private String of() {
    return around == null ? ", round" : " " + around.name() + ", round";
  }

  @Override
  public void measure(Progress progress) {
    measuring = true;
    if (around != null) Profiler.begin(around);
    try {
      passes.clear();
      long start = System.nanoTime();
      for (int i = 0; more(i, System.nanoTime() - start) && !cancelled; i++) {
        progress.step("measuring" + of(), i + 1, Math.max(i + 1, planned()), "");
        List<Completion> round;
        try (var _ = Profiler.scope(ROUND)) {
          round = round(i % rounds.size());
        }
        keep(round);
      }
    } finally {
      if (around != null) Profiler.end(around);
      measuring = false;
    }
  }

  private boolean more(int done, long nanos) {
    if (done > 0 && !plan.pace().timeFor(passes.rounds().getLast().nanos() / 1e9)) return false;
    // Half a pass over the prompts would be another mixture of them.
    if (done < planned() || done % rounds.size() != 0) return true;
    return plan.atLeast() > 0 && nanos < plan.atLeast() * 1e9;
  }

  /** Part of a round is no sample of one. */
  private void keep(List<Completion> round) {
    for (Completion completion : round) made += completion.ids().length;
    if (round.stream().anyMatch(completion -> completion.finish() == Finish.CANCELLED)) {
      passes.drop();
    } else {
      passes.end();
      results.add(round);
    }
  }

  /** What the model knows of a prompt already would make reading it again look fast. */
  private List<Completion> round(int index) {
    // A prompt that only grows is not read again.
    if (!grows() || index == 0) generator.forget();
    passes.begin();
    return generator.generate(rounds.get(index), sampling(index), this::heard);
  }

  private boolean grows() {
    return plan.prompts() instanceof Prompts.Growing;
  }

  private boolean heard(int prompt, CharSequence text, int from, int to) {
    if (!measuring && System.nanoTime() - roundEnds > 0) generator.cancel();
    return !cancelled;
  }

  /** Made-up prompts are different texts, too; others are the same text again. */
  private Sampling sampling(int index) {
    Sampling sampling = plan.sampling().withMaxTokens(length.units());
    return plan.prompts().apart() ? sampling.withSeed(sampling.seed() + index) : sampling;
  }

  @Override
  public boolean cancel() {
    if (!measuring || cancelled) return false;
    cancelled = true;
    generator.cancel();
    return true;
  }

  @Override
  public Outcome outcome(Profile profile) {
    generator.observe(Observer.BLIND);
    List<Metric> metrics = metrics(profile);
    List<Series> series = series(profile.level());
    return new Outcome(
        configuration(), plan(), conditions(), metrics, digest(), wrong(), series, made);
  }

  private Map<String, String> configuration() {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put(key("model"), plan.model());
    configuration.put(key("file"), plan.file().toString());
    configuration.put(key("prompts"), plan.prompts().words());
    configuration.put(key("prompt tokens"), "#%08x".formatted(Arrays.deepHashCode(prompts())));
    configuration.put(
        key("rounds"), plan.atLeast() > 0 ? plan.atLeast() + " s" : Long.toString(planned()));
    configuration.put(key("warm-up, at most"), plan.warmUp() + " s");
    configuration.put(key("tokens"), "%,d at most".formatted(length.units()));
    List<String> stop = plan.sampling().stop();
    if (!stop.isEmpty()) configuration.put(key("stop"), String.join(" or ", stop));
    return configuration;
  }

  private int[][][] prompts() {
    return rounds.toArray(int[][][]::new);
  }

  /** Where several run together, each says what is its own. */
  private String key(String name) {
    return around == null ? name : around.name() + ", " + name;
  }

  private Map<String, String> plan() {
    Map<String, String> ran = new LinkedHashMap<>();
    generator.plan().forEach((name, value) -> ran.put(key(name), value));
    if (!plan.instead().isEmpty()) ran.put(key("instead"), plan.instead());
    ran.put(key("sampling"), drawn(plan.sampling()));
    // The ledger has the sum of all models that are open.
    if (around != null) ran.put(key("owned"), owned());
    return ran;
  }

  private String owned() {
    return Generator.memory(plan.file(), plan.options()).entrySet().stream()
        .map(owner -> owner.getKey() + " " + Quantity.bytes(owner.getValue()))
        .collect(Collectors.joining(", "));
  }

  private Map<String, String> conditions() {
    Map<String, String> ran = new LinkedHashMap<>();
    ran.put(key("warm-up"), Quantity.many(steadiness.rounds(), "round") + ", not in the profile");
    String shortened =
        plan.pace()
            .shortened(
                new Length(length.units(), results.size()),
                new Length(plan.sampling().maxTokens(), plan.iterations()),
                "token",
                "-n");
    if (shortened != null && !cancelled) ran.put(key("shortened"), shortened);
    if (cancelled) ran.put(key("interrupted"), interruption());
    List<Completion> all = results.stream().flatMap(List::stream).toList();
    if (!all.isEmpty()) {
      ran.put(key("ended"), Speed.reasons(all.stream().map(Completion::finish).toList()));
    }
    long shared = all.stream().mapToLong(Completion::sharedTokens).sum();
    if (shared > 0) {
      long prompts = all.stream().mapToLong(Completion::promptTokens).sum();
      ran.put(
          key("prompt tokens read"),
          "%,d of %,d, the others shared".formatted(prompts - shared, prompts));
    }
    if (cold != null) ran.put(Run.COLD, around == null ? cold : around.name() + ": " + cold);
    return ran;
  }

  /** Only what counts: options that change nothing here must not look as if they did. */
  private static String drawn(Sampling sampling) {
    String penalty =
        sampling.repeatPenalty() == 1
            ? ""
            : ", repeat penalty %s of the last %d"
                .formatted(sampling.repeatPenalty(), sampling.repeatLast());
    if (sampling.temperature() == 0) return "temperature 0: always the likeliest token" + penalty;
    return "temperature %s, top-k %d, top-p %s, min-p %s%s, seed %d"
        .formatted(
            sampling.temperature(),
            sampling.topK(),
            sampling.topP(),
            sampling.minP(),
            penalty,
            sampling.seed());
  }

  private List<Metric> metrics(Profile profile) {
    Figures figures = new Figures(this::key);
    figures.rates(passes, plan.options().sequences(), generator.weightBytes());
    List<String> path = new ArrayList<>(List.of(ROUND.name(), "decode"));
    if (around != null) path.addFirst(around.name());
    if (grows()) figures.depths(passes, lengths(), plan.sampling().maxTokens());
    figures.shares(profile.tree().find(path.toArray(String[]::new)));
    figures.load(load);
    figures.all(tokens(), profile.system().peakRssBytes());
    return figures.metrics();
  }

  private int[] lengths() {
    return rounds.stream().mapToInt(round -> round[0].length).toArray();
  }

  private long tokens() {
    return results.stream().flatMap(List::stream).mapToLong(c -> c.ids().length).sum();
  }

  private List<Series> series(Level level) {
    if (cancelled || plan.atLeast() > 0 || grows()) return List.of();
    if (!plan.pace().timeFor(passes.speed().perPass() + passes.speed().perUnit() * length.units()))
      return List.of();
    String name = key("position in the context");
    String each = plan.options().sequences() == 1 ? "token" : "pass";
    Series series =
        Positions.of(name, each, passes, generator, rounds.getFirst(), sampling(0), level);
    return series == null ? List.of() : List.of(series);
  }

  /** Of one pass over the prompts. */
  private String digest() {
    if (results.size() < rounds.size()) return "";
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (List<Completion> round : results.subList(0, rounds.size())) {
        for (Completion completion : round) {
          ByteBuffer bytes = ByteBuffer.allocate(4 * completion.ids().length + 4);
          bytes.putInt(completion.ids().length);
          for (int id : completion.ids()) bytes.putInt(id);
          sha.update(bytes.flip());
        }
      }
      return "sha256:" + HexFormat.of().formatHex(sha.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /** The same prompt and seed must give the same text, each time. */
  private List<String> wrong() {
    for (int i = rounds.size(); i < results.size(); i++) {
      int before = i - rounds.size();
      for (int p = 0; p < results.get(i).size(); p++) {
        int[] now = results.get(i).get(p).ids();
        if (!Arrays.equals(now, results.get(before).get(p).ids())) {
          return List.of(
              "round %d gave %s another text than round %d"
                  .formatted(i + 1, plan.prompts().place(p), before + 1));
        }
      }
    }
    return List.of();
  }

  @Override
  public void close() {
    generator.close();
  }
}
