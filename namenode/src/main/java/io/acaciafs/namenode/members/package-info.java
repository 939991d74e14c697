/**
 * The NameNodes that serve one store: rows that each renews for itself, and the messages that they
 * send each other. {@link io.acaciafs.namenode.members.Members} is what other packages ask, {@link
 * io.acaciafs.namenode.members.StoredMembers} keeps it in a store that several machines reach.
 *
 * <p>Nothing here knows files, blocks or an engine, except that directories may be leased.
 */
@NullMarked
package io.acaciafs.namenode.members;

import org.jspecify.annotations.NullMarked;
