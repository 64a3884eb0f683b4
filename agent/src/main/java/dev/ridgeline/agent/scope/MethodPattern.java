package dev.ridgeline.agent.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of methods, as users write it.
 *
 * <pre>
 *   com.acme.engine.**       every method in a package and those below it
 *   com.acme.*               every method of the classes in a package
 *   com.acme.Foo, Foo        every method of a class; its package may be left out
 *   Foo.bar, com.acme.*.bar  methods by name; * stands for any part of one name
 *   Foo.bar(int, String)     one overload; * is any one type, .. any further ones
 *   Foo.new                  constructors
 *   a.b#c                    method c of class b, where capital letters do not tell
 * </pre>
 *
 * <p>A name with a capital first letter is a class, the last one otherwise a method. Nested classes
 * are written {@code Outer.Inner}. A pattern that leaves the method open covers nested classes too.
 */
public final class MethodPattern {
  private static final String ANY = "*";
  private static final String ANY_DEPTH = "**";
  private static final Pattern NAME = Pattern.compile("[\\p{javaJavaIdentifierPart}*-]+");

  private final String text;
  private final List<Segment> type;
  private final Segment method;
  private final Parameters parameters;

  private MethodPattern(String text, List<Segment> type, Segment method, Parameters parameters) {
    this.text = text;
    this.type = type;
    this.method = method;
    this.parameters = parameters;
  }

  /** Reads a pattern; an IllegalArgumentException says in one line what is wrong with it. */
  public static MethodPattern of(String written) {
    String text = written.strip();
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("pattern '" + text + "': " + e.getMessage());
    }
  }

  private static MethodPattern parse(String text) {
    String names = text;
    Parameters parameters = Parameters.ANY;
    int open = text.indexOf('(');
    if (open >= 0) {
      if (!text.endsWith(")")) throw new IllegalArgumentException("a closing ) is missing");
      parameters = Parameters.of(text.substring(open + 1, text.length() - 1));
      names = text.substring(0, open).strip();
    } else if (text.endsWith(")")) {
      throw new IllegalArgumentException("an opening ( is missing");
    }
    if (names.isEmpty()) throw new IllegalArgumentException("a name is missing");
    int hash = names.indexOf('#');
    List<String> type;
    String method;
    if (hash >= 0) {
      type = split(names.substring(0, hash));
      method = method(names.substring(hash + 1));
    } else {
      List<String> all = split(names);
      int methodAt = methodAt(all);
      if (methodAt == all.size() && open >= 0) {
        throw new IllegalArgumentException("a method must stand before (");
      }
      type = all.subList(0, methodAt);
      method = methodAt == all.size() ? ANY : method(all.get(methodAt));
    }
    return new MethodPattern(text, type(type), new Segment(method), parameters);
  }

  private static List<String> split(String names) {
    List<String> split = new ArrayList<>();
    for (String name : names.replace('$', '.').split("\\.", -1)) {
      if (name.isEmpty()) throw new IllegalArgumentException("a name is missing next to a dot");
      boolean constructor = name.equals("<init>");
      if (!constructor && !NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is no name");
      }
      if (name.contains(ANY_DEPTH) && !name.equals(ANY_DEPTH)) {
        throw new IllegalArgumentException("** stands for whole names: write it between dots");
      }
      split.add(name);
    }
    return split;
  }

  /** Index of the name that is the method's; the size when every method is meant. */
  private static int methodAt(List<String> names) {
    int last = names.size() - 1;
    String name = names.get(last);
    if (name.equals(ANY_DEPTH) || capital(name)) return names.size();
    if (!name.equals(ANY) || last == 0) return name.equals(ANY) ? names.size() : last;
    String before = names.get(last - 1);
    // com.acme.* are classes; Foo.* and *.* are methods.
    return capital(before) || before.contains(ANY) ? last : names.size();
  }

  private static boolean capital(String name) {
    return Character.isUpperCase(name.charAt(0));
  }

  private static String method(String name) {
    if (name.equals("new")) return "<init>";
    if (!name.equals("<init>") && !NAME.matcher(name.replace('$', '_')).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no method's name");
    }
    return name;
  }

  private static List<Segment> type(List<String> names) {
    List<Segment> type = new ArrayList<>();
    // A class without its package may be in any.
    boolean anywhere =
        names.size() < 2 || capital(names.getFirst()) || names.getFirst().startsWith(ANY);
    if (anywhere && (names.isEmpty() || !names.getFirst().equals(ANY_DEPTH))) {
      type.add(new Segment(ANY_DEPTH));
    }
    for (String name : names) type.add(new Segment(name));
    return List.copyOf(type);
  }

  /** Whether methods of a class may be meant. */
  public boolean matchesType(String className) {
    String[] names = className.replace('$', '.').split("\\.");
    if (matches(0, names, 0, names.length)) return true;
    if (!method.anything()) return false;
    for (int at = names.length - 1; at > 0 && nestedBelow(className, names, at); at--) {
      if (matches(0, names, 0, at)) return true;
    }
    return false;
  }

  /** Whether what comes from a position on is nested in the class before it. */
  private static boolean nestedBelow(String className, String[] names, int at) {
    int packages = (int) className.chars().filter(c -> c == '.').count();
    return at > packages && at < names.length;
  }

  private boolean matches(int segment, String[] names, int at, int end) {
    if (segment == type.size()) return at == end;
    Segment here = type.get(segment);
    if (here.anyDepth()) {
      // At least the class itself must be left for a ** at the end.
      int least = segment == type.size() - 1 ? at + 1 : at;
      for (int next = least; next <= end; next++) {
        if (matches(segment + 1, names, next, end)) return true;
      }
      return false;
    }
    return at < end && here.matches(names[at]) && matches(segment + 1, names, at + 1, end);
  }

  /** Whether a method of a class that {@link #matchesType matches} is meant. */
  public boolean matchesMethod(String name, String descriptor) {
    return method.matches(name) && parameters.matches(descriptor);
  }

  /** Whether the method is named, so that it is meant however small it is. */
  public boolean namesMethod() {
    return !method.wild();
  }

  /**
   * Whether a package, or two names of one above it, is spelled out: the JDK's own may be meant.
   */
  boolean namesPackage(String packageName) {
    List<String> names = new ArrayList<>();
    for (Segment segment : type) {
      if (segment.anyDepth() || segment.wild()) break;
      names.add(segment.text());
    }
    String literal = String.join(".", names) + ".";
    return names.size() >= 2
        && (literal.startsWith(packageName + ".") || packageName.startsWith(literal));
  }

  /** What stands where the class is named, without wildcards; for near misses. */
  String typeText() {
    StringBuilder names = new StringBuilder();
    for (Segment segment : type) {
      if (segment.anyDepth()) continue;
      names.append(names.isEmpty() ? "" : ".").append(segment.text());
    }
    return names.toString();
  }

  /** The method as written. */
  String methodText() {
    return method.text().equals("<init>") ? "new" : method.text();
  }

  @Override
  public String toString() {
    return text;
  }

  /** One name with wildcards. */
  private record Segment(String text, Pattern pattern) {
    Segment(String text) {
      this(text, compile(text));
    }

    private static Pattern compile(String text) {
      if (!text.contains(ANY) || text.equals(ANY_DEPTH)) return null;
      StringBuilder regex = new StringBuilder();
      for (String literal : text.split("\\*", -1)) {
        regex.append(regex.isEmpty() ? "" : "[^.]*").append(literal.isEmpty() ? "(?:)" : "");
        if (!literal.isEmpty()) regex.append(Pattern.quote(literal));
      }
      return Pattern.compile(regex.toString());
    }

    boolean anyDepth() {
      return text.equals(ANY_DEPTH);
    }

    boolean anything() {
      return text.equals(ANY);
    }

    boolean wild() {
      return pattern != null;
    }

    boolean matches(String name) {
      return pattern == null ? text.equals(name) : pattern.matcher(name).matches();
    }
  }
}
