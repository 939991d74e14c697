/**
 * DataNodes that exist only in what they say: they give the files to read blocks with locations.
 * For NameNodes that were started for a benchmark; a real cluster would send writers to them.
 */
@NullMarked
package io.acaciafs.bench.datanode;

import org.jspecify.annotations.NullMarked;
