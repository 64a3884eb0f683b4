package dev.ridgeline.profiler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method or constructor as a scope. The agent opens and closes it; without the agent the
 * annotation does nothing and costs nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Profiled {
  /** The scope's name; {@code Class.method} when empty. */
  String value() default "";
}
