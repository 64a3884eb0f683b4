package dev.ridgeline.cli.roofline;

import dev.ridgeline.lab.roofline.Floor;
import dev.ridgeline.lab.roofline.Phase;
import dev.ridgeline.lab.roofline.Product;
import dev.ridgeline.lab.roofline.SpeedOfLight;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer for programs, in operations, bytes and seconds. Keys stay; a change that breaks
 * readers raises {@link #VERSION}.
 */
final class RooflineJson {
  static final int VERSION = 1;

  private RooflineJson() {}

  static String of(RooflineAnswer answer) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("schema", "ridgeline.roofline").put("version", VERSION);
    ceilings(answer.roof(), root.putObject("ceilings"));
    if (answer.product() != null) product(answer.product(), root.putObject("op"));
    if (answer.model() != null) model(answer.model(), root.putObject("model"));
    return root.toPrettyString();
  }

  private static void ceilings(Ceilings roof, ObjectNode to) {
    to.put("measured", roof.measured().toString()).put("cores", roof.cores());
    ObjectNode compute = to.putObject("compute");
    for (Ceilings.Compute each : roof.compute()) {
      // The widest has the plain name.
      boolean widest = each == roof.compute(each.kind()).orElseThrow();
      String word = each.kind().word() + (widest ? "" : "-" + each.bits());
      ObjectNode kind = compute.putObject(word);
      kind.put("instruction", each.kind().instruction());
      if (each.bits() > 0) kind.put("bits", each.bits());
      rate(each.one(), kind.putObject("one"));
      rate(each.all(), kind.putObject("all"));
      if (each.sheet() > 0) kind.put("sheet", each.sheet());
    }
    ObjectNode memory = to.putObject("memory");
    for (Ceilings.Memory each : roof.memory()) {
      ObjectNode level = memory.putObject(each.level().name());
      if (each.bytes() > 0) level.put("bytes", each.bytes());
      traffic(each.one(), level.putObject("one"));
      traffic(each.all(), level.putObject("all"));
      if (each.sheet() > 0) level.put("sheet", each.sheet());
    }
  }

  private static void traffic(Traffic traffic, ObjectNode to) {
    rate(traffic.read(), to.putObject("read"));
    rate(traffic.write(), to.putObject("write"));
    rate(traffic.copy(), to.putObject("copy"));
  }

  private static void rate(Rate rate, ObjectNode to) {
    to.put("typical", rate.typical()).put("low", rate.low()).put("high", rate.high());
    if (rate.kept() != null) to.put("measured", rate.kept().toString());
    if (rate.disturbed()) to.put("disturbed", true);
  }

  private static void product(TimedProduct timed, ObjectNode to) {
    Product product = timed.product();
    to.put("type", product.type().word()).put("outputs", product.outputs());
    to.put("inputs", product.inputs()).put("rows", product.rows());
    to.put("weightBytes", product.weightBytes());
    to.put("activationBytes", product.activationBytes());
    to.put("operations", product.operations()).put("intensity", product.intensity());
    ArrayNode places = to.putArray("places");
    for (TimedProduct.Place place : timed.places()) {
      ObjectNode each = floor(place.floor(), places.addObject());
      if (place.timing() == null) continue;
      each.put("measuredSeconds", place.timing().seconds()).put("times", place.times());
      each.put("bestSeconds", place.timing().best());
      if (place.beaten()) each.put("beatsCeiling", true);
      each.put("copies", place.timing().copies()).put("kernels", place.timing().kernels());
    }
  }

  private static ObjectNode floor(Floor floor, ObjectNode to) {
    to.put("level", floor.level().name()).put("seconds", floor.seconds());
    to.put("memorySeconds", floor.memorySeconds()).put("computeSeconds", floor.computeSeconds());
    return to.put("arithmetic", floor.kind().word()).put("limitedBy", floor.limit());
  }

  private static void model(ModelLight model, ObjectNode to) {
    to.put("name", model.model()).put("architecture", model.architecture());
    to.put("layers", model.layers());
    ArrayNode phases = to.putArray("phases");
    for (Phase phase : model.phases()) {
      ObjectNode each = phases.addObject();
      each.put("name", phase.name()).put("unit", phase.unit()).put("perSecond", phase.rate());
      each.put("units", phase.units()).put("seconds", phase.light().seconds());
      ArrayNode parts = each.putArray("parts");
      for (SpeedOfLight.Line line : phase.light().lines()) {
        ObjectNode part = parts.addObject();
        if (line.task().layer() >= 0) part.put("layer", line.task().layer());
        part.put("part", line.task().part().word());
        part.put("weightBytes", line.task().weightBytes());
        part.put("cacheBytes", line.task().cacheBytes()).put("operations", line.operations());
        floor(line.floor(), part);
      }
    }
  }
}
