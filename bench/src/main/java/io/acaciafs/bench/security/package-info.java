/**
 * What Kerberos, delegation tokens, signing and encryption cost NameNodes: each is started without
 * Kerberos and with it, and all take turns.
 *
 * <p>Must not know how a KDC is made: {@link io.acaciafs.bench.security.Realm} is one that runs.
 */
@NullMarked
package io.acaciafs.bench.security;

import org.jspecify.annotations.NullMarked;
