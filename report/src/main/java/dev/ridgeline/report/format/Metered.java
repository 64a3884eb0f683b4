package dev.ridgeline.report.format;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that knows how much went through it; whoever made the one below it closes that. */
final class Metered extends FilterOutputStream {
  private long bytes;

  Metered(OutputStream out) {
    super(out);
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void write(int one) throws IOException {
    out.write(one);
    bytes++;
  }

  @Override
  public void write(byte[] many, int from, int length) throws IOException {
    out.write(many, from, length);
    bytes += length;
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
