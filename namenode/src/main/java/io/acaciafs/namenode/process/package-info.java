/**
 * What any part of the process needs from it: threads that have names and ends, resources that
 * close together, files, clocks, what runs transactions, and what asks a process that serves. Knows
 * no other package of this module.
 */
@NullMarked
package io.acaciafs.namenode.process;

import org.jspecify.annotations.NullMarked;
