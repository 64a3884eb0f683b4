/**
 * {@code ridgeline profile -- COMMAND} and {@code ridgeline profile --pid N}: other people's
 * programs, through the agent.
 *
 * <p>The agent records and keeps the run in the program's own process; here it is started, waited
 * for and shown.
 */
package dev.ridgeline.cli.foreign;
