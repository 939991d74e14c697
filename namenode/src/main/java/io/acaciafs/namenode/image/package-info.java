/**
 * Images of the namespace for {@code hdfs dfsadmin -fetchImage}, made while the NameNode serves.
 * What an image consists of is the module {@code fsimage}'s matter.
 */
@NullMarked
package io.acaciafs.namenode.image;

import org.jspecify.annotations.NullMarked;
