/** A profile as text, Markdown, HTML and JSON, and the run directories they are kept in. */
module dev.ridgeline.report {
  requires transitive dev.ridgeline.profiler;
  requires jdk.management;
  requires tools.jackson.core;

  exports dev.ridgeline.report;
  exports dev.ridgeline.report.file;
  exports dev.ridgeline.report.format;
  exports dev.ridgeline.report.json;
  exports dev.ridgeline.report.roofline;
  exports dev.ridgeline.report.run;
}
