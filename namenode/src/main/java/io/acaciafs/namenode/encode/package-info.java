/**
 * Replies as bytes: what is asked most is written by hand into protobuf's wire format, the rest
 * into Hadoop's messages. Knows neither calls nor transactions.
 */
@NullMarked
package io.acaciafs.namenode.encode;

import org.jspecify.annotations.NullMarked;
