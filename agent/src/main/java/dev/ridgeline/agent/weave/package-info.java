/**
 * Writes scopes and hand-overs into classes with {@code java.lang.classfile}, and takes them out.
 */
package dev.ridgeline.agent.weave;
