package io.acaciafs.namespace.op.quota;

import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.summary.SubtreeTotals;
import java.util.function.Function;
import org.apache.hadoop.fs.ContentSummary;
import org.jspecify.annotations.Nullable;

/**
 * A content summary of which only the count of what is below is missing.
 *
 * @param top what to count; null: nothing is missing
 * @param end makes the summary of the count
 */
public record SummaryStart(
    @Nullable DirectoryInode top, Function<SubtreeTotals, ContentSummary> end) {}
