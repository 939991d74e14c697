/**
 * Limits and defaults of the namespace, each under HDFS's own name.
 *
 * <p>Nothing here reads a configuration file or a store.
 */
package io.acaciafs.namespace.settings;
