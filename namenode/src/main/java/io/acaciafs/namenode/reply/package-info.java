/**
 * What all calls have in common: the caller as the namespace knows it, running an operation and
 * turning its result or failure into what an HDFS client understands, and safe mode. No method of a
 * protocol lives here.
 */
@NullMarked
package io.acaciafs.namenode.reply;

import org.jspecify.annotations.NullMarked;
