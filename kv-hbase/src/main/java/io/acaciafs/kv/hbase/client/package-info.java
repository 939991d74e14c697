/**
 * Connections to an HBase cluster, the outcome of one request, and limits: timeouts, pauses between
 * attempts, requests in flight; and who the process is to a cluster with Kerberos.
 *
 * <p>{@link io.acaciafs.kv.hbase.client.ClusterClient} reaches region servers past HBase's client,
 * {@link io.acaciafs.kv.hbase.client.RequestSender} is what sends conditional requests, {@link
 * io.acaciafs.kv.hbase.client.RequestLimiter} limits them.
 *
 * <p>Nothing here knows which server has which region, nor transactions.
 */
@NullMarked
package io.acaciafs.kv.hbase.client;

import org.jspecify.annotations.NullMarked;
