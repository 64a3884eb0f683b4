/**
 * What woven code calls. It lives in the boot class loader, where every other one finds it, and so
 * knows nothing but the JDK; {@link dev.ridgeline.agent.hook.Sink} is the way into the agent.
 */
package dev.ridgeline.agent.hook;
