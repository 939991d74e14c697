/**
 * What the namespace does without being asked: sweeping deleted directories, releasing the leases
 * of silent writers and going on with their recovery, forgetting old answers to repeated calls,
 * dividing large directories, telling other NameNodes which clients are alive. All of it is read
 * from the store and may stop anywhere.
 */
@NullMarked
package io.acaciafs.namespace.background;

import org.jspecify.annotations.NullMarked;
