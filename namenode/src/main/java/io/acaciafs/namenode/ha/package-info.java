/**
 * What a NameNode answers while another one leads: clients and DataNodes hear that it stands by.
 * What DataNodes say meanwhile is kept for the moment when this NameNode leads.
 *
 * <p>Nothing here reads or writes the store.
 */
@NullMarked
package io.acaciafs.namenode.ha;

import org.jspecify.annotations.NullMarked;
