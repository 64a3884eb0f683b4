/** How far from the limit, and did the change really help. */
module dev.ridgeline.lab {
  requires transitive dev.ridgeline.report;
  requires transitive dev.ridgeline.model;
  requires jdk.incubator.vector;
  requires transitive java.sql;
  requires tools.jackson.core;

  exports dev.ridgeline.lab.answer;
  exports dev.ridgeline.lab.bisect;
  exports dev.ridgeline.lab.bound;
  exports dev.ridgeline.lab.chart;
  exports dev.ridgeline.lab.compare;
  exports dev.ridgeline.lab.document;
  exports dev.ridgeline.lab.history;
  exports dev.ridgeline.lab.history.trend;
  exports dev.ridgeline.lab.imports;
  exports dev.ridgeline.lab.history.index;
  exports dev.ridgeline.lab.history.sql;
  exports dev.ridgeline.lab.jit;
  exports dev.ridgeline.lab.memory;
  exports dev.ridgeline.lab.page;
  exports dev.ridgeline.lab.process;
  exports dev.ridgeline.lab.roofline;
  exports dev.ridgeline.lab.stats;
  exports dev.ridgeline.lab.sweep;
  exports dev.ridgeline.lab.trial;
  exports dev.ridgeline.lab.tune;
  exports dev.ridgeline.lab.verdict;
}
