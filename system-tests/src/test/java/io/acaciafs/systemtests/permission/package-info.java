/**
 * A class of the site that decides on permissions, as the NameNode asks it: what it is given is
 * compared with what Hadoop's NameNode gives, and Apache Ranger's plug-in decides by its policies.
 */
package io.acaciafs.systemtests.permission;
