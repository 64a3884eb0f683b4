package dev.ridgeline.tensor.quant;

/** What the sixteen digits of four bits stand for, in types whose digits are not evenly spaced. */
public enum NibbleTable {
  /** IQ4_NL and IQ4_XS: closer together near zero, where most weights are. */
  NON_LINEAR(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113),

  /**
   * MXFP4: a sign, two bits of exponent and one of mantissa, times two so that all are whole. The
   * values are those of E2M1 in the OCP Microscaling Formats specification 1.0; minus zero is zero.
   */
  FLOAT(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12);

  private final byte[] values = new byte[16];

  NibbleTable(int... values) {
    for (int i = 0; i < values.length; i++) this.values[i] = (byte) values[i];
  }

  public int value(int nibble) {
    return values[nibble];
  }

  /** A copy of all sixteen, for kernels that look them up in a register. */
  public byte[] bytes() {
    return values.clone();
  }
}
