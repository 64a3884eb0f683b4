package dev.ridgeline.cli.embed;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** How vectors are written. */
enum VectorFormat {
  /** One object with all vectors. */
  JSON {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, int count) {
      return new Text(out) {
        @Override
        public void vector(long index, float[] numbers, int from) throws IOException {
          if (index == 0) {
            print("{\"model\":" + quoted(model) + ",\"dimensions\":" + dimensions);
            print(",\"embeddings\":[\n");
          } else {
            print(",\n");
          }
          array(numbers, from, dimensions);
        }

        @Override
        public void end() throws IOException {
          print("]}\n");
          flush();
        }
      };
    }
  },

  /** An object a line. */
  JSONL {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, int count) {
      return new Text(out) {
        @Override
        public void vector(long index, float[] numbers, int from) throws IOException {
          print("{\"index\":" + index + ",\"embedding\":");
          array(numbers, from, dimensions);
          print("}\n");
        }
      };
    }
  },

  /** A line of numbers each, behind their index; the first line names the columns. */
  CSV {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, int count) {
      return new Text(out) {
        @Override
        public void vector(long index, float[] numbers, int from) throws IOException {
          if (index == 0) {
            StringBuilder head = new StringBuilder("index");
            for (int i = 0; i < dimensions; i++) head.append(",e").append(i);
            print(head.append('\n').toString());
          }
          print(Long.toString(index));
          for (int i = 0; i < dimensions; i++) print("," + numbers[from + i]);
          print("\n");
        }
      };
    }
  },

  /** NumPy's array file, f32. */
  NPY {
    @Override
    Writer writer(OutputStream out, String model, int dimensions, int count) {
      return new Writer() {
        private final ByteBuffer row =
            ByteBuffer.allocate(4 * dimensions).order(ByteOrder.LITTLE_ENDIAN);

        @Override
        public void vector(long index, float[] numbers, int from) throws IOException {
          if (index == 0) out.write(numpyHead(count, dimensions));
          row.clear();
          for (int i = 0; i < dimensions; i++) row.putFloat(numbers[from + i]);
          out.write(row.array());
        }

        @Override
        public void end() throws IOException {
          out.flush();
        }
      };
    }
  };

  /**
   * Begins a file.
   *
   * @param count how many vectors there will be; −1 when that is not known, which only {@link #NPY}
   *     has to
   */
  abstract Writer writer(OutputStream out, String model, int dimensions, int count);

  /** Whether the number of vectors stands before them. */
  boolean needsCount() {
    return this == NPY;
  }

  /** Takes vectors in their order. */
  interface Writer {
    void vector(long index, float[] numbers, int from) throws IOException;

    void end() throws IOException;
  }

  /** Magic, version 1.0, then a Python dictionary padded to 64 bytes. */
  private static byte[] numpyHead(int rows, int columns) {
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

  private abstract static class Text implements Writer {
    private final OutputStream out;

    Text(OutputStream out) {
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

    void flush() throws IOException {
      out.flush();
    }

    @Override
    public void end() throws IOException {
      flush();
    }
  }
}
