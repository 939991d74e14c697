/**
 * Who serves: the NameNodes of one store, told by rows that each renews for itself. {@link
 * io.acaciafs.namenode.members.Members} is what the others ask, {@link
 * io.acaciafs.namenode.members.StoredMembers} keeps it in a store that several machines reach.
 *
 * <p>Nothing here knows files, blocks or an engine.
 */
package io.acaciafs.namenode.members;
