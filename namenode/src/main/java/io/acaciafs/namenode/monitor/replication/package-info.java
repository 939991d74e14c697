/** What one of several NameNodes, of which one leads, tells of its part: metrics and health. */
@NullMarked
package io.acaciafs.namenode.monitor.replication;

import org.jspecify.annotations.NullMarked;
