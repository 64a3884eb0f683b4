package dev.ridgeline.cli.train;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.train.loop.Training;
import dev.ridgeline.train.loop.Watcher;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** Says on standard output what the journal says, line by line as it is written: for programs. */
final class JournalEcho implements Watcher, AutoCloseable {
  private final PrintWriter out;
  private final Progress notices;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 12);
  private FileChannel journal;

  JournalEcho(PrintWriter out, Progress notices) {
    this.out = out;
    this.notices = notices;
  }

  /** What a resumed training said before has been heard. */
  @Override
  public void begins(Training training) {
    try {
      journal = FileChannel.open(training.journalFile(), StandardOpenOption.READ);
      journal.position(journal.size());
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }

  @Override
  public void step(Training training) {
    follow();
  }

  @Override
  public void evaluated(long step, double loss) {
    follow();
  }

  @Override
  public void sampled(long step, String prompt, String text) {
    follow();
  }

  @Override
  public void warned(String line) {
    notices.note(line);
  }

  private void follow() {
    try {
      while (journal.read(bytes.clear()) > 0) {
        bytes.flip();
        while (bytes.hasRemaining()) out.write(bytes.get()); // a journal is ASCII
      }
    } catch (IOException e) {
      throw Problem.of(e);
    }
    out.flush();
  }

  @Override
  public void close() {
    try {
      if (journal != null) journal.close();
    } catch (IOException e) {
      throw Problem.of(e);
    }
  }
}
