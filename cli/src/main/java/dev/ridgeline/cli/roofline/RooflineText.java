package dev.ridgeline.cli.roofline;

import dev.ridgeline.cli.models.Table;
import dev.ridgeline.lab.roofline.Floor;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The answer for people. */
final class RooflineText {
  private static final double GIGA = 1e9;

  private final PrintWriter out;

  RooflineText(PrintWriter out) {
    this.out = out;
  }

  void print(RooflineAnswer answer) {
    Ceilings roof = answer.roof();
    if (answer.product() != null) product(answer.product(), roof);
    else if (answer.model() != null) model(answer.model(), roof);
    else ceilings(roof);
  }

  // This machine.

  private void ceilings(Ceilings roof) {
    out.println(Machine.here().line());
    out.println("measured " + day(roof) + "; the median of several rounds, and (their spread)");
    out.println();
    boolean sheet =
        roof.compute().stream().anyMatch(each -> each.sheet() > 0)
            || roof.memory().stream().anyMatch(each -> each.sheet() > 0);
    String cores = "all " + Quantity.many(roof.cores(), "core");
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(sheet, "compute", "", "one core", cores, "data sheet"));
    for (Compute each : roof.compute()) {
      String unit = each.kind().unit();
      rows.add(
          row(sheet, each.name(), unit, rate(each.one()), rate(each.all()), peak(each.sheet())));
    }
    table(rows, 2, 3, 4);
    out.println();
    memory(roof, cores, sheet);
    out.println();
    ridge(roof);
  }

  private void memory(Ceilings roof, String cores, boolean sheet) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(sheet, "memory, GB/s", "", "one core", cores, "data sheet"));
    for (Memory each : roof.memory()) {
      String size = size(each.bytes());
      rows.add(
          memory(sheet, each.level() + " read", size, each, Traffic::read, peak(each.sheet())));
      rows.add(memory(sheet, "   write", "", each, Traffic::write, ""));
      rows.add(memory(sheet, "   copy", "", each, Traffic::copy, ""));
    }
    table(rows, 2, 3, 4);
  }

  private static List<String> memory(
      boolean sheet,
      String name,
      String size,
      Memory memory,
      Function<Traffic, Rate> flow,
      String peak) {
    return row(
        sheet, name, size, rate(flow.apply(memory.one())), rate(flow.apply(memory.all())), peak);
  }

  /** As caches are sold: {@code 32 KiB}. */
  private static String size(long bytes) {
    if (bytes == 0) return "";
    boolean large = bytes >= 1 << 20;
    return Quantity.number((double) bytes / (large ? 1 << 20 : 1 << 10)).replaceFirst("\\.0+$", "")
        + (large ? " MiB" : " KiB");
  }

  /** From how much arithmetic a byte on memory is no longer what binds. */
  private void ridge(Ceilings roof) {
    for (Memory memory : roof.memory()) {
      if (memory.level() != Level.DRAM) continue;
      for (Compute each : roof.fastest()) {
        double ridge = each.all().typical() / memory.all().read().typical();
        out.println(
            "  %s memory binds below %s operations a byte, compute above"
                .formatted(Text.left(each.kind().numbers() + ":", 5), Quantity.number(ridge)));
      }
    }
  }

  private static List<String> row(
      boolean sheet, String name, String unit, String one, String all, String peak) {
    return sheet ? List.of(name, unit, one, all, peak) : List.of(name, unit, one, all);
  }

  private static String rate(Rate rate) {
    return "%s (%s–%s)".formatted(number(rate.typical()), number(rate.low()), number(rate.high()));
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
        "  weights %s + activations %s · %s · %s operations a byte"
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
              each.name(), number(each.all().typical()) + " " + each.kind().unit(), time(seconds)));
    }
    for (Memory each : roof.memory()) {
      double rate = each.all().read().typical();
      rows.add(
          List.of(each.level() + " read", number(rate) + " GB/s", time(product.bytes() / rate)));
    }
    table(rows, 1, 2);
    out.println();
    for (TimedProduct.Place place : timed.places()) place(place);
    out.println("  by " + timed.places().getLast().timing().kernels());
  }

  private void place(TimedProduct.Place place) {
    Floor floor = place.floor();
    String how = floor.level() == Level.DRAM ? "" : ", again and again";
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
    out.println("%s · ceilings measured %s".formatted(Machine.here().line(), day(roof)));
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
    rows.add(List.of("", "weights", "KV cache", "work", "a layer", "all", "limited by"));
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
    return roof.measured().toString().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC");
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
