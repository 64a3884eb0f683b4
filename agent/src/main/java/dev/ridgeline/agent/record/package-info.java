/** Takes the profile of the program around it and keeps the run. */
package dev.ridgeline.agent.record;
