/**
 * What commands share: options, failures with their hints, logs, folders, progress and the wait for
 * the end.
 *
 * <p>Nothing here is a command, but for the version.
 */
@NullMarked
package io.acaciafs.tools.common;

import org.jspecify.annotations.NullMarked;
