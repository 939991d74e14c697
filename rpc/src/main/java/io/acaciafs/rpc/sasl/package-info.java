/**
 * Who a client is, found out by SASL as Hadoop speaks it: Kerberos by GSSAPI, tokens by DIGEST-MD5
 * or the mechanism that the site names.
 *
 * <p>{@link io.acaciafs.rpc.sasl.Authentication} is what a server offers, {@link
 * io.acaciafs.rpc.sasl.SaslNegotiation} the exchange with one client, message by message. Nothing
 * here knows of sockets; what may wait for a store is {@link io.acaciafs.rpc.sasl.TokenPasswords}.
 */
@NullMarked
package io.acaciafs.rpc.sasl;

import org.jspecify.annotations.NullMarked;
