/**
 * What is wrong with a NameNode and what it needs: a class for each group of checks, and since when
 * each problem has been there.
 */
@NullMarked
package io.acaciafs.namenode.monitor.problems;

import org.jspecify.annotations.NullMarked;
