/**
 * What a transaction changes of the use of quotas, and whether there is room for it.
 *
 * <p>How quotas are set is an operation in {@code op.quota}.
 */
@NullMarked
package io.acaciafs.namespace.quota;

import org.jspecify.annotations.NullMarked;
