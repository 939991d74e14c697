/**
 * Reports of DataNodes: full block reports, incremental ones, bad blocks, and clients that wait for
 * a replica.
 *
 * <p>{@link io.acaciafs.blocks.report.FullReports} reconciles a full report with the stored rows,
 * {@link io.acaciafs.blocks.report.IncrementalReports} applies received and deleted replicas.
 *
 * <p>Nothing here chooses targets or sends commands.
 */
@NullMarked
package io.acaciafs.blocks.report;

import org.jspecify.annotations.NullMarked;
