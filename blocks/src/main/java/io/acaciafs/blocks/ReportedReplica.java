package io.acaciafs.blocks;

/**
 * A finalized replica as its DataNode described it.
 *
 * @param storage index of the storage that holds it
 */
record ReportedReplica(int storage, long numBytes, long generationStamp) {}
