package dev.ridgeline.agent.scope;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The parameter types of a pattern.
 *
 * @param types as written; a name without a package is any class of that name
 * @param more whether any further ones may follow
 */
record Parameters(List<String> types, boolean more) {
  /** What is meant where nothing is said. */
  static final Parameters ANY = new Parameters(List.of(), true);

  private static final Pattern TYPE =
      Pattern.compile("\\*|[\\p{javaJavaIdentifierPart}.]+(\\[\\])*");

  static Parameters of(String written) {
    if (written.isBlank()) return new Parameters(List.of(), false);
    List<String> types = new ArrayList<>();
    boolean more = false;
    for (String part : written.split(",", -1)) {
      String type = part.strip();
      if (more) throw new IllegalArgumentException(".. must be the last of the parameters");
      if (type.equals("..")) {
        more = true;
        continue;
      }
      if (type.contains("<")) {
        throw new IllegalArgumentException("'" + type + "': write types without <…>");
      }
      type = type.replace("...", "[]").replace('$', '.');
      if (!TYPE.matcher(type).matches() || type.contains("..")) {
        throw new IllegalArgumentException("'" + part.strip() + "' is no type");
      }
      types.add(type);
    }
    return new Parameters(List.copyOf(types), more);
  }

  boolean matches(String descriptor) {
    if (types.isEmpty() && more) return true;
    List<ClassDesc> actual = MethodTypeDesc.ofDescriptor(descriptor).parameterList();
    if (more ? actual.size() < types.size() : actual.size() != types.size()) return false;
    for (int i = 0; i < types.size(); i++) {
      if (!matches(types.get(i), name(actual.get(i)))) return false;
    }
    return true;
  }

  private static boolean matches(String wanted, String actual) {
    return wanted.equals("*") || actual.equals(wanted) || actual.endsWith("." + wanted);
  }

  /** The parameters of a descriptor as one would write them: {@code int, String[]}. */
  static String simple(String descriptor) {
    List<String> names = new ArrayList<>();
    for (ClassDesc type : MethodTypeDesc.ofDescriptor(descriptor).parameterList()) {
      String name = name(type);
      names.add(name.substring(name.lastIndexOf('.') + 1));
    }
    return String.join(", ", names);
  }

  private static String name(ClassDesc type) {
    if (type.isArray()) return name(type.componentType()) + "[]";
    if (type.isPrimitive()) return type.displayName();
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.').replace('$', '.');
  }
}
