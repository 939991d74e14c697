/**
 * Limits and defaults of the namespace, each under HDFS's own name; {@link
 * io.acaciafs.namespace.settings.NamespaceConfigKeys} has those that HDFS does not have.
 *
 * <p>Nothing here reads a configuration file or a store.
 */
@NullMarked
package io.acaciafs.namespace.settings;

import org.jspecify.annotations.NullMarked;
