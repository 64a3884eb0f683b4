package dev.ridgeline.report.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/**
 * Records as JSON objects, with a field for each component under its name. What is read equals what
 * was written.
 *
 * <p>A component is a number, a text, a flag, an enum, a moment, a map of texts, another record, or
 * a list of any of them. Integers are not negative unless {@link #least} says so.
 */
public final class Records {
  private final Map<String, Long> least = new HashMap<>();
  private final Map<String, Object> missing = new HashMap<>();
  private final Map<Class<?>, Form<?>> forms = new HashMap<>();

  /** How a record looks in a file that does not have its components. */
  private record Form<R>(BiConsumer<JsonGenerator, R> write, Function<JsonObject, R> read) {}

  /** The least value of components of these names. */
  public Records least(long value, String... names) {
    for (String name : names) least.put(name, value);
    return this;
  }

  /** The value of a component that older files do not have; a record of this value is left out. */
  public Records missing(String name, Object value) {
    missing.put(name, value);
    return this;
  }

  /** How the fields of a record are written and its object is read, where that is special. */
  public <R> Records form(
      Class<R> of, BiConsumer<JsonGenerator, R> write, Function<JsonObject, R> read) {
    forms.put(of, new Form<>(write, read));
    return this;
  }

  /** Writes a field for each component of a record into the object that is open. */
  public void write(JsonGenerator json, Record record) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      String name = component.getName();
      Object value = value(component, record);
      if (value instanceof Record && value.equals(missing.get(name))) continue;
      if (value instanceof Double real && !Double.isFinite(real)) {
        throw new IllegalArgumentException(name + " is " + real);
      }
      json.writeName(name);
      write(json, value);
    }
  }

  @SuppressWarnings("unchecked") // forms are kept under their own class
  private void fields(JsonGenerator json, Record record) {
    Form<Record> form = (Form<Record>) forms.get(record.getClass());
    if (form == null) write(json, record);
    else form.write.accept(json, record);
  }

  /** Writes a field that is a value of any kind a component can have. */
  public void write(JsonGenerator json, String name, Object value) {
    json.writeName(name);
    write(json, value);
  }

  private void write(JsonGenerator json, Object value) {
    switch (value) {
      case Record record -> {
        json.writeStartObject();
        fields(json, record);
        json.writeEndObject();
      }
      case Collection<?> items -> {
        json.writeStartArray();
        items.forEach(item -> write(json, item));
        json.writeEndArray();
      }
      case Map<?, ?> texts -> {
        json.writeStartObject();
        texts.forEach((name, text) -> json.writeStringProperty((String) name, (String) text));
        json.writeEndObject();
      }
      case Double real -> json.writeNumber(real);
      case Number number -> json.writeNumber(number.longValue());
      case Boolean flag -> json.writeBoolean(flag);
      case Enum<?> choice -> json.writeString(choice.name());
      default -> json.writeString(value.toString());
    }
  }

  /** Reads an object, and refuses fields that the record does not have. */
  public <R extends Record> R read(JsonObject json, Class<R> type) {
    Object[] values =
        Arrays.stream(type.getRecordComponents()).map(one -> read(json, one)).toArray();
    try {
      R record = made(type, values);
      json.end();
      return record;
    } catch (IllegalArgumentException e) {
      throw json.fail("", e.getMessage());
    }
  }

  private Object read(JsonObject json, RecordComponent component) {
    String name = component.getName();
    if (missing.containsKey(name) && !json.has(name)) return missing.get(name);
    Class<?> type = component.getType();
    if (type == List.class) return list(json, name, component.getGenericType());
    if (type == Map.class) return json.textsByName(name);
    if (type == String.class) return json.text(name);
    if (type == Instant.class) return json.moment(name);
    if (type == boolean.class) return json.flag(name);
    if (type == double.class) return json.real(name);
    if (type.isEnum()) return json.choice(name, type);
    if (!type.isPrimitive()) return object(json.object(name), type);
    long number = json.number(name, least.getOrDefault(name, 0L));
    if (type == long.class) return number;
    if (number > Integer.MAX_VALUE) throw json.fail(name, number + " is too many");
    return (int) number;
  }

  private List<?> list(JsonObject json, String name, Type list) {
    Class<?> of = (Class<?>) ((ParameterizedType) list).getActualTypeArguments()[0];
    if (of == String.class) return json.texts(name);
    if (of == Double.class) return Arrays.stream(json.reals(name)).boxed().toList();
    return json.objects(name, object -> object(object, of));
  }

  private Object object(JsonObject json, Class<?> type) {
    Form<?> form = forms.get(type);
    return form == null ? read(json, type.asSubclass(Record.class)) : form.read.apply(json);
  }

  /** The value of a component. */
  public static Object value(RecordComponent component, Record record) {
    try {
      Method accessor = component.getAccessor();
      accessor.trySetAccessible(); // a record of ours need not be public
      return accessor.invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The record of these components; what it refuses is an IllegalArgumentException. */
  public static <R extends Record> R made(Class<R> type, Object[] values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.trySetAccessible();
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) throw refused;
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
