/** Scopes, call trees, allocations and declared work, for any Java program. */
module dev.ridgeline.profiler {
  requires transitive java.management;
  requires jdk.jfr;
  requires jdk.management;

  exports dev.ridgeline.profiler;
  exports dev.ridgeline.profiler.file;
}
