/**
 * How the clients of a benchmark prove who they are: by the name alone, by a Kerberos ticket, by a
 * delegation token. The mechanisms are the JDK's.
 *
 * <p>Must not know how messages travel; that is {@code client}.
 */
@NullMarked
package io.acaciafs.bench.sasl;

import org.jspecify.annotations.NullMarked;
