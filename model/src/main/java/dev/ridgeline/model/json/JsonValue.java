package dev.ridgeline.model.json;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a JSON file that knows where it stands, so that a complaint can say it.
 *
 * @param where {@code model.merges[3]}; empty for the whole
 * @param value a map, a list, a string, a number, a boolean or null
 */
public record JsonValue(Path file, Refusal refusal, String where, Object value) {
  private static final int MOST = 1 << 24;

  /** A member, absent and null being the same. */
  public JsonValue at(String name) {
    return part(where.isEmpty() ? name : where + "." + name, members().get(name));
  }

  /** Whether there is such a member that is not null. */
  public boolean has(String name) {
    return members().get(name) != null;
  }

  public Set<String> names() {
    return members().keySet();
  }

  @SuppressWarnings("unchecked") // the reader makes no others
  private Map<String, ?> members() {
    if (value instanceof Map<?, ?> members) return (Map<String, ?>) members;
    throw not("an object");
  }

  public List<JsonValue> elements() {
    if (!(value instanceof List<?> list)) throw not("an array");
    List<JsonValue> elements = new ArrayList<>();
    for (Object element : list) elements.add(part(where + "[" + elements.size() + "]", element));
    return elements;
  }

  private JsonValue part(String place, Object part) {
    return new JsonValue(file, refusal, place, part);
  }

  public boolean isNull() {
    return value == null;
  }

  public String string() {
    if (value instanceof String text) return text;
    throw not("a string");
  }

  public String string(String fallback) {
    return isNull() ? fallback : string();
  }

  public boolean flag() {
    if (value instanceof Boolean flag) return flag;
    throw not("true or false");
  }

  public boolean flag(boolean fallback) {
    return isNull() ? fallback : flag();
  }

  public long whole() {
    if (value instanceof Long number) return number;
    if (value instanceof Double number && number == number.longValue()) return number.longValue();
    throw not("a whole number");
  }

  public int integer() {
    long number = whole();
    if (number != (int) number) throw wrong("is " + number);
    return (int) number;
  }

  /** A whole number that counts something, so at least 1. */
  public int count() {
    long number = whole();
    if (number < 1 || number > MOST) throw wrong("is " + number);
    return (int) number;
  }

  public int count(int fallback) {
    return isNull() ? fallback : count();
  }

  /** A number above 0. */
  public float real(float fallback) {
    if (isNull()) return fallback;
    if (!(value instanceof Number number)) throw not("a number");
    double real = number.doubleValue();
    if (!Double.isFinite(real) || real <= 0) throw wrong("is " + real);
    return (float) real;
  }

  /** Refuses anything but the one value that can be read. */
  public void mustBe(Object only) {
    boolean same =
        only instanceof Integer wanted
            ? value instanceof Number number && number.doubleValue() == wanted
            : only.equals(value);
    if (!same) throw unsupported(String.valueOf(only));
  }

  public RuntimeException unsupported(String supported) {
    return wrong("is %s; only %s can be read".formatted(shown(), supported));
  }

  private RuntimeException not(String wanted) {
    return wrong(isNull() ? "is missing" : "is %s, not %s".formatted(shown(), wanted));
  }

  /** A complaint about this part. */
  public RuntimeException wrong(String reason) {
    return refusal.of(file, where.isEmpty() ? reason : where + " " + reason, null);
  }

  private String shown() {
    return switch (value) {
      case null -> "missing";
      case Map<?, ?> _ -> "an object";
      case List<?> _ -> "an array";
      case Double number when number == number.longValue() -> Long.toString(number.longValue());
      default -> value.toString();
    };
  }
}
