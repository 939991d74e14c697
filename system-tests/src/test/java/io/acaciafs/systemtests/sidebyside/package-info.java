/**
 * Sends the same requests to Acacia and to a Hadoop NameNode and compares each answer. Clients also
 * depend on the texts of refusals.
 */
package io.acaciafs.systemtests.sidebyside;
