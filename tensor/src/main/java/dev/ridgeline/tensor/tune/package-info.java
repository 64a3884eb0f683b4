/**
 * Numbers that make code faster or slower and never change a result: which there are, what they are
 * in this process, and the table in the cache where {@code tune} keeps better ones. What reads them
 * lives elsewhere; what measures them is in the lab.
 */
package dev.ridgeline.tensor.tune;
