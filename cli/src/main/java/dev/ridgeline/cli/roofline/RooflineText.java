package dev.ridgeline.cli.roofline;

import dev.ridgeline.cli.line.Table;
import dev.ridgeline.lab.roofline.Floor;
import dev.ridgeline.lab.roofline.Flow;
import dev.ridgeline.lab.roofline.ModelWork.Part;
import dev.ridgeline.lab.roofline.Phase;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.lab.roofline.SpeedOfLight;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import dev.ridgeline.report.run.Machine;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The answer for people. */
record RooflineText(PrintWriter out) {
  private static final double GIGA = 1e9;

  private static final int WIDTH = 100;

  /** What is measured now is told beside what is kept where it is lower than this part of it. */
  private static final double WORTH_TELLING = 0.95;

  void print(RooflineAnswer answer) {
    Ceilings roof = answer.roof();
    if (answer.product() != null) product(answer.product(), roof);
    else if (answer.model() != null) model(answer.model(), roof);
    else ceilings(roof, answer.now());
  }

  // This machine.

  private void ceilings(Ceilings roof, Ceilings now) {
    out.println(Machine.here().line());
    out.println("measured " + day(roof) + "; the median of several rounds, and (their spread)");
    if (roof.disturbed()) {
      out.println("busy: other programs kept cores busy all the time, so that it may be higher");
    }
    out.println();
    boolean sheet =
        roof.compute().stream().anyMatch(each -> each.sheet() > 0)
            || roof.memory().stream().anyMatch(each -> each.sheet() > 0);
    String cores = "all " + Quantity.many(roof.cores(), "core");
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(sheet, "compute", "", "one core", cores, "data sheet"));
    for (int i = 0; i < roof.compute().size(); i++) {
      Compute each = roof.compute().get(i);
      Compute latest = now.compute().get(i);
      String one = rate(each.one(), latest.one());
      String all = rate(each.all(), latest.all());
      rows.add(row(sheet, each.name(), each.kind().unit(), one, all, peak(each.sheet())));
    }
    table(rows, 2, 3, 4);
    out.println();
    memory(roof, now, cores, sheet);
    out.println();
    ridge(roof);
    kept(roof);
  }

  private void memory(Ceilings roof, Ceilings now, String cores, boolean sheet) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(sheet, "memory, GB/s", "", "one core", cores, "data sheet"));
    for (int i = 0; i < roof.memory().size(); i++) {
      Memory each = roof.memory().get(i);
      Memory latest = now.memory().get(i);
      for (Flow flow : Flow.values()) {
        boolean first = flow == Flow.READ;
        String word = flow.name().toLowerCase(Locale.ROOT);
        rows.add(
            row(
                sheet,
                first ? each.level() + " " + word : "   " + word,
                first && each.bytes() > 0 ? Quantity.bytes(each.bytes()) : "",
                rate(rate(each.one(), flow), rate(latest.one(), flow)),
                rate(rate(each.all(), flow), rate(latest.all(), flow)),
                first ? peak(each.sheet()) : ""));
      }
    }
    table(rows, 2, 3, 4);
  }

  private static Rate rate(Traffic traffic, Flow flow) {
    return switch (flow) {
      case READ -> traffic.read();
      case WRITE -> traffic.write();
      case COPY -> traffic.copy();
    };
  }

  /** What is older than the rest, by the moment when it was measured. */
  private void kept(Ceilings roof) {
    Map<Instant, List<String>> older = new TreeMap<>();
    String all = ", all cores";
    for (Compute each : roof.compute()) {
      kept(each.name() + ", one core", each.one(), older);
      kept(each.name() + all, each.all(), older);
    }
    for (Memory each : roof.memory()) {
      for (Flow flow : Flow.values()) {
        String name = each.level() + " " + flow.name().toLowerCase(Locale.ROOT);
        kept(name + ", one core", rate(each.one(), flow), older);
        kept(name + all, rate(each.all(), flow), older);
      }
    }
    if (older.isEmpty()) return;
    out.println();
    out.println("  Kept, because they were higher before (--replace forgets them):");
    older.forEach(
        (when, names) -> {
          String text = "of %s: %s".formatted(minute(when), String.join(" · ", names));
          Text.wrap(text, WIDTH - 4).forEach(line -> out.println("    " + line));
        });
  }

  private static void kept(String name, Rate rate, Map<Instant, List<String>> older) {
    if (rate.kept() == null) return;
    older.computeIfAbsent(rate.kept(), _ -> new ArrayList<>()).add(name);
  }

  /** From how much arithmetic a byte on memory is no longer what binds. */
  private void ridge(Ceilings roof) {
    for (Memory memory : roof.memory()) {
      if (memory.level() != Level.DRAM) continue;
      for (Compute each : roof.fastest()) {
        double ridge = each.all().typical() / memory.all().read().typical();
        out.println(
            "  %s memory binds below %s operations per byte, compute above"
                .formatted(Text.left(each.kind().numbers() + ":", 5), Quantity.number(ridge)));
      }
    }
  }

  private static List<String> row(
      boolean sheet, String name, String unit, String one, String all, String peak) {
    return sheet ? List.of(name, unit, one, all, peak) : List.of(name, unit, one, all);
  }

  /** With what there is to doubt about it. */
  private static String rate(Rate rate, Rate now) {
    String text =
        "%s (%s–%s)".formatted(number(rate.typical()), number(rate.low()), number(rate.high()));
    if (now.typical() < WORTH_TELLING * rate.typical()) text += ", now " + number(now.typical());
    return rate.disturbed() ? text + ", busy" : text;
  }

  private static String peak(double sheet) {
    return sheet > 0 ? number(sheet) : "";
  }

  private static String number(double rate) {
    return Quantity.number(rate / GIGA);
  }

  // One product.

  private void product(TimedProduct timed, Ceilings roof) {
    Product product = timed.product();
    out.println(product + ", all " + Quantity.many(roof.cores(), "core"));
    out.println(
        "  weights %s + activations %s · %s · %s operations per byte"
            .formatted(
                Quantity.bytes(product.weightBytes()),
                Quantity.bytes(product.activationBytes()),
                operations(product.operations()),
                Quantity.number(product.intensity())));
    out.println();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("at the ceiling of", "measured " + day(roof), "takes"));
    for (Compute each : roof.compute()) {
      double seconds = product.operations() / each.all().typical();
      rows.add(
          List.of(
              each.name(),
              number(each.all().typical())
                  + " "
                  + each.kind().unit()
                  + doubt(timed.beaten(each.kind())),
              time(seconds)));
    }
    for (Memory each : roof.memory()) {
      double rate = each.all().read().typical();
      rows.add(
          List.of(
              each.level() + " read",
              number(rate) + " GB/s" + doubt(timed.beaten(each.level())),
              time(product.bytes() / rate)));
    }
    table(rows, 1, 2);
    out.println();
    for (TimedProduct.Place place : timed.places()) place(place);
    out.println("  by " + timed.places().getLast().timing().kernels());
  }

  private static String doubt(boolean beaten) {
    return beaten ? ", too low" : "";
  }

  private void place(TimedProduct.Place place) {
    Floor floor = place.floor();
    String how = floor.level() == Level.DRAM ? "" : ", again and again";
    if (place.beaten()) {
      out.println(
          "  weights from %s%s: measured %s (best %s)"
              .formatted(
                  floor.level(), how, time(place.timing().seconds()), time(place.timing().best())));
      out.println(
          "    faster than the ceiling of %s allows (%s), so that is too low: roofline --measure"
              .formatted(floor.limit(), time(floor.seconds())));
      return;
    }
    out.println(
        "  weights from %s%s: at least %s, %s binds"
            .formatted(floor.level(), how, time(floor.seconds()), floor.limit()));
    if (place.timing() == null) {
      out.println("    not measured: too small to outgrow the caches");
      return;
    }
    out.println(
        "    measured %s (best %s): %s × the least, %s reached"
            .formatted(
                time(place.timing().seconds()),
                time(place.timing().best()),
                Quantity.number(place.times()),
                Quantity.percent(1 / place.times())));
  }

  // A model.

  private void model(ModelLight model, Ceilings roof) {
    out.println(
        "%s · %s, %s"
            .formatted(
                Text.clean(model.model()),
                model.architecture(),
                Quantity.many(model.layers(), "layer")));
    out.println(Machine.here().line());
    out.println("ceilings measured " + day(roof));
    for (Phase phase : model.phases()) {
      out.println();
      phase(phase, model.layers());
    }
    out.println();
    out.println(
        "  Products with weights and attention alone, one part after the other, each at the");
    out.println(
        "  ceiling that binds it. Where weights come from is assumed: what holds them all.");
  }

  private void phase(Phase phase, int layers) {
    SpeedOfLight light = phase.light();
    out.println(
        "%s: at most %s %s/s".formatted(phase.name(), Quantity.number(phase.rate()), phase.unit()));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "weights", "KV cache", "work", "per layer", "all", "limited by"));
    boolean head = false;
    for (SpeedOfLight.Sum part : light.parts()) {
      boolean inLayer = part.part() != Part.HEAD;
      if (!inLayer) rows.add(line("layers", light.layers(), layers));
      head |= !inLayer;
      rows.add(line(part.part().word(), part, inLayer ? layers : 0));
    }
    rows.add(line("total", light.total(), head ? 0 : layers));
    table(rows, 1, 2, 3, 4, 5);
  }

  private static List<String> line(String name, SpeedOfLight.Sum sum, int layers) {
    return List.of(
        name,
        sum.weightBytes() == 0 ? "–" : Quantity.bytes(sum.weightBytes()),
        sum.cacheBytes() == 0 ? "–" : Quantity.bytes(sum.cacheBytes()),
        operations(sum.operations()),
        layers == 0 ? "" : time(sum.seconds() / layers),
        time(sum.seconds()),
        sum.limit());
  }

  // Both.

  private void table(List<List<String>> rows, Integer... numbers) {
    int columns = rows.getFirst().size();
    Integer[] there = Arrays.stream(numbers).filter(each -> each < columns).toArray(Integer[]::new);
    Table.of(rows, there).lines().forEach(line -> out.println("  " + line));
  }

  private static String day(Ceilings roof) {
    return minute(roof.measured());
  }

  private static String minute(Instant moment) {
    return moment.toString().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC");
  }

  private static String operations(double count) {
    return count >= GIGA
        ? Quantity.number(count / GIGA) + " GFLOP"
        : Quantity.number(count / 1e6) + " MFLOP";
  }

  private static String time(double seconds) {
    return Quantity.time(seconds * GIGA);
  }
}
