package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.profiler.file.FileException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;

/**
 * The agent of this JVM: starts and stops recordings, one at a time. Called by the entry through
 * reflection, for it lives in another class loader; answers null, or one line why not that nobody
 * has been told yet.
 */
public final class Control {
  private final Instrumentation jvm;
  private final ScopeTable table = new ScopeTable();
  private final ProfilerSink sink;
  private Recording recording;

  public Control(Instrumentation jvm) throws ReflectiveOperationException, IOException {
    this.jvm = jvm;
    JdkInternals jdk = new JdkInternals(jvm);
    jdk.loadModules();
    jdk.defineHooks();
    sink = new ProfilerSink(table, jdk);
    sink.install();
  }

  /** Records from the start of the program to its end. */
  public String premain(String text) {
    return guarded(text, false);
  }

  /** Records for a while, or stops doing so. */
  public String agentmain(String text) {
    return guarded(text, true);
  }

  private synchronized String guarded(String text, boolean attached) {
    Answer answer = new Answer(AgentOptions.answer(text));
    try {
      AgentOptions options = AgentOptions.parse(text, System.getenv("RIDGELINE_RUNS"));
      if (options.flag("stop")) {
        if (recording != null) recording.stop();
        return null;
      }
      if (recording != null && recording.running()) {
        throw new IllegalArgumentException("this program is being recorded already");
      }
      recording = Recording.start(jvm, table, sink, options, answer, attached);
      return null;
    } catch (IllegalArgumentException | IllegalStateException | FileException e) {
      return refuse(answer, e.getMessage(), attached);
    } catch (RuntimeException | LinkageError e) {
      if (Boolean.getBoolean("ridgeline.verbose")) e.printStackTrace();
      String why = "a defect of the agent: " + e + " (-Dridgeline.verbose=true shows where)";
      return refuse(answer, why, attached);
    }
  }

  /** The program that we were attached to is left alone: its console is not ours. */
  private static String refuse(Answer answer, String why, boolean attached) {
    boolean told = answer.refused(why.lines().findFirst().orElse("refused"));
    return attached && told ? null : why;
  }
}
