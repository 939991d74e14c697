/**
 * How operations are run on a store: as transactions that are repeated after a conflict, and what
 * is logged and said of those that fail. No operation lives here, and nothing that an engine needs.
 */
@NullMarked
package io.acaciafs.kv.run;

import org.jspecify.annotations.NullMarked;
