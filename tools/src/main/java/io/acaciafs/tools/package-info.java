/**
 * The {@code acacia} command: one class a subcommand, words and flags as {@code hdfs} has them.
 *
 * <p>Here live starting, stopping and explaining: reading the configuration, wiring a NameNode to
 * Hadoop's own DataNode, sentences for the usual mistakes. What a NameNode does lives in {@code
 * io.acaciafs.namenode} and must not be repeated here.
 *
 * <p>The packages below: {@code common} for all; {@code store}, {@code image}, {@code hadoop},
 * {@code local} and {@code bench} hold the commands by subject.
 */
@NullMarked
package io.acaciafs.tools;

import org.jspecify.annotations.NullMarked;
