/**
 * Operations that set quotas, and that report quotas and content summaries.
 *
 * <p>The use of quotas is counted in {@code namespace.quota}.
 */
@NullMarked
package io.acaciafs.namespace.op.quota;

import org.jspecify.annotations.NullMarked;
