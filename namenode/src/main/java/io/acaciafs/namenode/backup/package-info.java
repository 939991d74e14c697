/**
 * Backups: copies of a store in use, by the engine, and the way back. Here is said what makes a
 * copy that several NameNodes write consistent, and what a restored store must not believe. How
 * files or snapshots are copied is the engine's matter.
 */
@NullMarked
package io.acaciafs.namenode.backup;

import org.jspecify.annotations.NullMarked;
