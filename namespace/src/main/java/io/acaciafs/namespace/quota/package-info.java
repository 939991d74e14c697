/**
 * What a transaction changes of the use of quotas, and whether there is room for it.
 *
 * <p>How quotas are set is an operation in {@code op.quota}.
 */
package io.acaciafs.namespace.quota;
