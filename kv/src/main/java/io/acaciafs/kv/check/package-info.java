/**
 * Looks at all rows of a store for what contradicts itself, while others use it: rows in slices,
 * what seems wrong once more under guards, and once more after a while. Which rows have to agree is
 * defined by the modules that write them; nothing here knows any.
 */
@NullMarked
package io.acaciafs.kv.check;

import org.jspecify.annotations.NullMarked;
