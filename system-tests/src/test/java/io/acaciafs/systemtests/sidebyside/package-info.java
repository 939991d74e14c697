/**
 * The same requests to Acacia and to a Hadoop NameNode beside it, answer for answer: what a client
 * reads when it asks for something wrong is part of what it is written against.
 */
package io.acaciafs.systemtests.sidebyside;
