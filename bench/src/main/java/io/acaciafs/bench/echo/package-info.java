/** The least that a server of Hadoop RPC can do, as a limit to compare with. Knows no operation. */
@NullMarked
package io.acaciafs.bench.echo;

import org.jspecify.annotations.NullMarked;
