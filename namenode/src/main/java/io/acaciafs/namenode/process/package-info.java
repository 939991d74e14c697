/**
 * What any part of the process needs from it: threads that have names and ends, resources that
 * close together, files, clocks, and what runs transactions. Knows no other package of this module.
 */
@NullMarked
package io.acaciafs.namenode.process;

import org.jspecify.annotations.NullMarked;
