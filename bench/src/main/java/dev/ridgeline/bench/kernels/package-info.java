/**
 * Products by the families of kernels, on the way that models go ({@code Ops}, device, workers),
 * beside what this machine was measured to be able to do right before and after.
 */
package dev.ridgeline.bench.kernels;
