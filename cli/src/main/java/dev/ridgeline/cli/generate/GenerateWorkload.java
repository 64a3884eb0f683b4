package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.models.ModelOptions.Chosen;
import dev.ridgeline.cli.workload.Fingerprint;
import dev.ridgeline.cli.workload.Loading;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Finish;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.GeneratorOptions;
import dev.ridgeline.model.generate.Observer;
import dev.ridgeline.model.generate.Sampling;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Series;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The same prompts continued again and again: rates, latency by position, where the time goes. */
public final class GenerateWorkload extends RepeatedWorkload {
  private static final Scope ROUND = Scope.of("generate");

  /**
   * What is run.
   *
   * @param name a word for it, the scope around it where several run together; or ""
   * @param amount how much is measured: tokens, and passes over all prompts; made-up prompts are a
   *     round each
   */
  public record Plan(
      String name,
      Chosen model,
      GeneratorOptions options,
      Prompts prompts,
      Sampling sampling,
      Amount amount) {}

  private final Plan plan;
  private final Scope around;
  private final Passes passes = new Passes();

  /** A pass over all prompts: made-up ones one by one, others together. */
  private final List<int[][]> rounds = new ArrayList<>();

  private final List<List<Completion>> results = new ArrayList<>();
  private final Loading<Generator> loading;
  private final Generator generator;

  /** Tokens of all that the profile holds, also of a round that was broken off. */
  private long made;

  public GenerateWorkload(Plan plan) {
    super("generate", plan.amount());
    this.plan = plan;
    this.around = plan.name().isEmpty() ? null : Scope.of(plan.name());
    this.loading = Loading.of(() -> Generator.open(plan.model().file(), plan.options()));
    this.generator = loading.model();
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
    generator.observe(passes);
  }

  @Override
  public String title() {
    int most = length().units();
    String each = plan.prompts().count() == 1 ? "" : " each";
    boolean once = asked.atLeast() > 0 || length().passes() == 1;
    return "%s · %s · %s%s · %s%s"
        .formatted(
            plan.model().name(),
            plan.prompts().title(rounds.getFirst()),
            most == 0 ? "until the context is full" : "up to %,d more%s".formatted(most, each),
            once ? "" : ", " + times(),
            Quantity.many(Long.parseLong(generator.plan().get("workers")), "worker"),
            ending());
  }

  @Override
  protected int roundsOfAPass() {
    return rounds.size();
  }

  @Override
  protected Pace.Speed warm(int index, Progress progress) {
    generate(index % rounds.size());
    passes.end();
    Passes.Round last = passes.rounds().getLast();
    took(last.nanos(), last.promptTokens() + last.tokens(), last.allocatedBytes());
    return passes.speed();
  }

  @Override
  public void measure(Progress progress) {
    passes.clear();
    if (around != null) Profiler.begin(around);
    try {
      super.measure(progress);
    } finally {
      if (around != null) Profiler.end(around);
    }
  }

  /** Part of a round is no sample of one. */
  @Override
  protected double round(int index) {
    List<Completion> round;
    try (var _ = Profiler.scope(ROUND)) {
      round = generate(index % rounds.size());
    }
    for (Completion completion : round) made += completion.ids().length;
    if (round.stream().anyMatch(completion -> completion.finish() == Finish.CANCELLED)) {
      passes.drop();
      return Double.NaN;
    }
    passes.end();
    results.add(round);
    return passes.rounds().getLast().nanos() / 1e9;
  }

  /** What the model knows of a prompt already would make reading it again look fast. */
  private List<Completion> generate(int index) {
    // A prompt that only grows is not read again.
    if (!grows() || index == 0) generator.forget();
    passes.begin();
    return generator.generate(rounds.get(index), sampling(index), this::heard);
  }

  private boolean grows() {
    return plan.prompts() instanceof Prompts.Growing;
  }

  private boolean heard(int prompt, CharSequence text, int from, int to) {
    if (!isMeasuring() && endsEarly()) generator.cancel();
    return !isCancelled();
  }

  /** Made-up prompts are different texts, too; others are the same text again. */
  private Sampling sampling(int index) {
    Sampling sampling = plan.sampling().withMaxTokens(length().units());
    return plan.prompts().apart() ? sampling.withSeed(sampling.seed() + index) : sampling;
  }

  @Override
  protected void breakOff() {
    generator.cancel();
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
    configuration.put(key("model"), plan.model().name());
    configuration.put(key("file"), plan.model().file().toString());
    configuration.put(key("prompts"), plan.prompts().words());
    configuration.put(key("prompt tokens"), "#%08x".formatted(Arrays.deepHashCode(prompts())));
    configuration.put(key("rounds"), often());
    configuration.put(key("warm-up, at most"), asked.warmUp() + " s");
    configuration.put(key("tokens"), "%,d at most".formatted(length().units()));
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
    if (!plan.model().instead().isEmpty()) ran.put(key("instead"), plan.model().instead());
    ran.put(key("sampling"), drawn(plan.sampling()));
    // The ledger has the sum of all models that are open.
    if (around != null) ran.put(key("owned"), owned());
    return ran;
  }

  private String owned() {
    return Generator.memory(plan.model().file(), plan.options()).entrySet().stream()
        .map(owner -> owner.getKey() + " " + Quantity.bytes(owner.getValue()))
        .collect(Collectors.joining(", "));
  }

  private Map<String, String> conditions() {
    Map<String, String> ran = new LinkedHashMap<>();
    conditions("token", "-n")
        .forEach((name, value) -> ran.put(name.equals(Run.COLD) ? name : key(name), value));
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
    if (around != null) ran.computeIfPresent(Run.COLD, (_, cold) -> around.name() + ": " + cold);
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
    figures.load(loading);
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
    if (isCancelled() || asked.atLeast() > 0 || grows()) return List.of();
    if (!asked.pace().timeFor(passes.speed().seconds(length().units(), 1))) return List.of();
    String name = key("position in the context");
    String each = plan.options().sequences() == 1 ? "token" : "pass";
    Series series =
        Positions.of(name, each, passes, generator, rounds.getFirst(), sampling(0), level);
    return series == null ? List.of() : List.of(series);
  }

  /** Of one pass over the prompts. */
  private String digest() {
    if (results.size() < rounds.size()) return "";
    Fingerprint print = new Fingerprint();
    for (List<Completion> round : results.subList(0, rounds.size())) {
      for (Completion each : round) print.add(each.ids().length).add(each.ids());
    }
    return print.digest();
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
