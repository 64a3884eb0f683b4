package dev.ridgeline.cli.profile;

import dev.ridgeline.report.Report.Fact;
import dev.ridgeline.report.Report.Figure;
import java.util.List;
import java.util.Map;

/**
 * What a workload says about its measured phase.
 *
 * @param figures the few numbers that answer the question, most important first
 * @param facts what was run and how, for the report's header
 * @param metrics numbers by name, for programs
 * @param samples raw samples by name, in nanoseconds per call
 * @param digest of the output: the same for the same input, however often it was computed
 * @param wrong results that differ from their reference, one line each; empty when all is well
 */
public record Outcome(
    List<Figure> figures,
    List<Fact> facts,
    Map<String, Double> metrics,
    Map<String, List<Double>> samples,
    String digest,
    List<String> wrong) {}
