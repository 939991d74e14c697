/**
 * A class of the site that decides on permissions and attributes, as HDFS's
 * dfs.namenode.inode.attributes.provider.class: it is started and ended, asked by the permission
 * checks of the namespace, and gets rows as the inodes of HDFS that it knows.
 *
 * <p>No rule of HDFS belongs here: where the class asks for HDFS's rules, Hadoop's own
 * FSPermissionChecker applies them.
 */
@NullMarked
package io.acaciafs.namenode.permission;

import org.jspecify.annotations.NullMarked;
