/**
 * The options of a server: where it listens, its threads and transport, its limits, which users may
 * connect. {@link io.acaciafs.rpc.options.RpcServerOptions} is the way in.
 *
 * <p>Only values and their ranges live here, and the names of their settings.
 */
@NullMarked
package io.acaciafs.rpc.options;

import org.jspecify.annotations.NullMarked;
