/**
 * The methods of ClientProtocol and DatanodeProtocol that work on files and blocks, a class for
 * each subject: from Hadoop's message to an operation, and from its result to the reply. No rule of
 * the file system lives here. Methods for administrators are in {@code admin}.
 */
@NullMarked
package io.acaciafs.namenode.calls;

import org.jspecify.annotations.NullMarked;
