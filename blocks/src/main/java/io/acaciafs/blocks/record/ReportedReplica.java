package io.acaciafs.blocks.record;

/**
 * A finalized replica as its DataNode described it.
 *
 * @param storage index of the storage that holds it
 */
public record ReportedReplica(int storage, long numBytes, long generationStamp) {
  io.acaciafs.blocks.proto.ReportedReplica encode() {
    return io.acaciafs.blocks.proto.ReportedReplica.newBuilder()
        .setStorage(storage)
        .setNumBytes(numBytes)
        .setGenerationStamp(generationStamp)
        .build();
  }

  static ReportedReplica decode(io.acaciafs.blocks.proto.ReportedReplica stored) {
    return new ReportedReplica(
        stored.getStorage(), stored.getNumBytes(), stored.getGenerationStamp());
  }
}
