/**
 * JSON that others wrote, read with care: bounded, without doubled keys, and every complaint says
 * where. What a complaint is thrown as is for the caller to say.
 */
package dev.ridgeline.model.json;
