/**
 * The site's settings: what becomes of each setting that HDFS has (the list, which is data, and the
 * look that a start takes at it), and how Hadoop's configuration becomes the settings of the
 * namespace and of the RPC server. An engine's own settings are read in the engine's module.
 */
@NullMarked
package io.acaciafs.namenode.settings;

import org.jspecify.annotations.NullMarked;
