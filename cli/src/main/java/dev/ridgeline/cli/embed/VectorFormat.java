package dev.ridgeline.cli.embed;

import dev.ridgeline.cli.texts.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How vectors are written. */
enum VectorFormat {
  /** One object with all vectors, and null where there is none. */
  JSON {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, long count) {
      return new Text(out) {
        @Override
        void begin() throws IOException {
          print("{\"model\":" + quoted(model) + ",\"dimensions\":" + dimensions);
          print(",\"embeddings\":[");
        }

        @Override
        void vector(Entry entry, float[] numbers, int from) throws IOException {
          print(entry.index() == 0 ? "\n" : ",\n");
          array(numbers, from, dimensions);
        }

        @Override
        void gap(long index) throws IOException {
          print(index == 0 ? "\nnull" : ",\nnull");
        }

        @Override
        void end() throws IOException {
          print("]}\n");
        }
      };
    }
  },

  /** An object a line, with the other fields of a line that was JSON. */
  JSONL {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, long count) {
      return new Text(out) {
        @Override
        void vector(Entry entry, float[] numbers, int from) throws IOException {
          print("{\"index\":" + entry.index());
          if (entry.fields() != null) print(",\"fields\":" + entry.fields());
          print(",\"embedding\":");
          array(numbers, from, dimensions);
          print("}\n");
        }
      };
    }
  },

  /** A line of numbers each, behind their index; the first line names the columns. */
  CSV {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, long count) {
      return new Text(out) {
        @Override
        void begin() throws IOException {
          StringBuilder head = new StringBuilder("index");
          for (int i = 0; i < dimensions; i++) head.append(",e").append(i);
          print(head.append('\n').toString());
        }

        @Override
        void vector(Entry entry, float[] numbers, int from) throws IOException {
          print(Long.toString(entry.index()));
          for (int i = 0; i < dimensions; i++) print("," + numbers[from + i]);
          print("\n");
        }
      };
    }
  },

  /** NumPy's array file, f32; a row of NaN where there is no vector. */
  NPY {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, long count) {
      return new Writer(out) {
        private final ByteBuffer row =
            ByteBuffer.allocate(4 * dimensions).order(ByteOrder.LITTLE_ENDIAN);

        @Override
        void begin() throws IOException {
          out.write(numpyHead(count, dimensions));
        }

        @Override
        void vector(Entry entry, float[] numbers, int from) throws IOException {
          row(numbers, from);
        }

        private void row(float[] numbers, int from) throws IOException {
          row.clear();
          for (int i = 0; i < dimensions; i++) row.putFloat(numbers[from + i]);
          out.write(row.array());
        }

        @Override
        void gap(long index) throws IOException {
          float[] nothing = new float[dimensions];
          Arrays.fill(nothing, Float.NaN);
          row(nothing, 0);
        }
      };
    }
  };

  /**
   * Begins a file.
   *
   * @param count how many texts there will be, those without a vector included; −1 when that is not
   *     known, which only {@link #NPY} has to
   */
  abstract Writer writer(OutputStream out, String model, int dimensions, long count);

  /** Whether the number of vectors stands before them. */
  boolean needsCount() {
    return this == NPY;
  }

  /**
   * Takes vectors in the order of their texts. Nothing is written before the first, so that an
   * error leaves an empty output.
   */
  abstract static class Writer {
    private final OutputStream out;
    private long next;

    Writer(OutputStream out) {
      this.out = out;
    }

    /** Takes the vector of a text; texts that were passed over have none. */
    final void put(Entry entry, float[] numbers, int from) throws IOException {
      fill(entry.index());
      vector(entry, numbers, from);
      next++;
    }

    /**
     * Ends the file.
     *
     * @param count texts there were
     */
    final void finish(long count) throws IOException {
      fill(count);
      end();
      out.flush();
    }

    private void fill(long to) throws IOException {
      if (next == 0) begin();
      while (next < to) gap(next++);
    }

    void begin() throws IOException {}

    abstract void vector(Entry entry, float[] numbers, int from) throws IOException;

    /** Where position alone tells which text a vector is of, a missing one needs a mark. */
    void gap(long index) throws IOException {}

    void end() throws IOException {}
  }

  /** Magic, version 1.0, then a Python dictionary padded to 64 bytes. */
  private static byte[] numpyHead(long rows, int columns) {
    String dictionary =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }".formatted(rows, columns);
    int length = (10 + dictionary.length() + 1 + 63) / 64 * 64 - 10;
    ByteBuffer head = ByteBuffer.allocate(10 + length).order(ByteOrder.LITTLE_ENDIAN);
    head.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    head.put((byte) 1).put((byte) 0).putShort((short) length);
    head.put(dictionary.getBytes(StandardCharsets.US_ASCII));
    while (head.position() < head.capacity() - 1) head.put((byte) ' ');
    return head.put((byte) '\n').array();
  }

  private abstract static class Text extends Writer {
    private final OutputStream out;

    Text(OutputStream out) {
      super(out);
      this.out = out;
    }

    void print(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    void array(float[] numbers, int from, int count) throws IOException {
      StringBuilder text = new StringBuilder(12 * count).append('[');
      for (int i = 0; i < count; i++) {
        if (i > 0) text.append(',');
        text.append(numbers[from + i]);
      }
      print(text.append(']').toString());
    }

    static String quoted(String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
  }
}
