/**
 * What a NameNode and the coprocessor say to each other: cells, conditions and changes of rows of
 * one region, in bytes. Both sides use these classes, so they depend on nothing, and run on Java 11
 * as HBase does.
 */
@NullMarked
package io.acaciafs.hbase.protocol;

import org.jspecify.annotations.NullMarked;
