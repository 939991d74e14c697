/**
 * What a server counts and logs about its calls and connections. Nothing here changes how a call is
 * served.
 */
package io.acaciafs.rpc.metrics;
