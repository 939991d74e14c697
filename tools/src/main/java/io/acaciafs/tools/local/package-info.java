/**
 * A cluster on one machine: the demo, standalone, and a local HBase.
 *
 * <p>Nothing here is for production.
 */
@NullMarked
package io.acaciafs.tools.local;

import org.jspecify.annotations.NullMarked;
