/**
 * What a server counts and logs about its calls and connections. Nothing here changes how a call is
 * served.
 */
@NullMarked
package io.acaciafs.rpc.metrics;

import org.jspecify.annotations.NullMarked;
