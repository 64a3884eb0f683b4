/** Which methods become scopes, and what they are called. Nothing here touches a class. */
package dev.ridgeline.agent.scope;
