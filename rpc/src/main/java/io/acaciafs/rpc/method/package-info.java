/**
 * The methods that a server serves, each with its counters and listener, and how they are found by
 * the header of a request. Nothing here runs a method.
 */
@NullMarked
package io.acaciafs.rpc.method;

import org.jspecify.annotations.NullMarked;
