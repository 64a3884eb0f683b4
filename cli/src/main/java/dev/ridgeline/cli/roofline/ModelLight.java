package dev.ridgeline.cli.roofline;

import dev.ridgeline.lab.roofline.Phase;
import java.util.List;

/**
 * How fast a model could possibly be.
 *
 * @param model as the user named it
 * @param architecture GGUF's word
 */
record ModelLight(String model, String architecture, int layers, List<Phase> phases) {}
