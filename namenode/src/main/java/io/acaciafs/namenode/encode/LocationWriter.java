package io.acaciafs.namenode.encode;

import io.acaciafs.blocks.datanode.ReplicaPlace;
import io.acaciafs.wire.WireWriter;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Writes what {@link PBHelperClient} would make messages of, byte for byte; a DataNode's own
 * message is made once for many replies. Used by one thread.
 */
final class LocationWriter {
  private final WireWriter out;

  LocationWriter(WireWriter out) {
    this.out = out;
  }

  /**
   * @param field of the message that the blocks belong to
   */
  void write(int field, LocatedBlocks located) {
    int end = out.size();
    writeContent(located);
    out.message(field, end);
  }

  /** The same without its length. */
  void writeContent(LocatedBlocks located) {
    if (located.getFileEncryptionInfo() != null || located.getErasureCodingPolicy() != null) {
      throw new IllegalArgumentException("Files are neither encrypted nor coded");
    }
    out.flag(LocatedBlocksProto.ISLASTBLOCKCOMPLETE_FIELD_NUMBER, located.isLastBlockComplete());
    if (located.getLastLocatedBlock() != null) {
      write(LocatedBlocksProto.LASTBLOCK_FIELD_NUMBER, located.getLastLocatedBlock());
    }
    out.flag(LocatedBlocksProto.UNDERCONSTRUCTION_FIELD_NUMBER, located.isUnderConstruction());
    List<LocatedBlock> blocks = located.getLocatedBlocks();
    for (int i = blocks.size() - 1; i >= 0; i--) {
      write(LocatedBlocksProto.BLOCKS_FIELD_NUMBER, blocks.get(i));
    }
    out.number(LocatedBlocksProto.FILELENGTH_FIELD_NUMBER, located.getFileLength());
  }

  private void write(int field, LocatedBlock block) {
    if (!isPlain(block)) {
      out.bytes(field, PBHelperClient.convertLocatedBlock(block).toByteArray());
      return;
    }
    int end = out.size();
    writeStorages(block);
    DatanodeInfoWithStorage[] places = block.getLocations();
    if (places.length > 0) {
      int endOfFlags = out.size();
      out.zeros(places.length); // none is in a cache
      out.message(LocatedBlockProto.ISCACHED_FIELD_NUMBER, endOfFlags);
    }
    write(block.getBlockToken());
    out.flag(LocatedBlockProto.CORRUPT_FIELD_NUMBER, block.isCorrupt());
    for (int i = places.length - 1; i >= 0; i--) {
      ByteString place = message(places[i]);
      out.bytes(LocatedBlockProto.LOCS_FIELD_NUMBER, place.size(), place::copyTo);
    }
    out.number(LocatedBlockProto.OFFSET_FIELD_NUMBER, block.getStartOffset());
    write(block.getBlock());
    out.message(field, end);
  }

  /** Whether it has nothing that is not known here. */
  private static boolean isPlain(LocatedBlock block) {
    return block.getClass() == LocatedBlock.class && block.getCachedLocations().length == 0;
  }

  private void write(Token<BlockTokenIdentifier> token) {
    int end = out.size();
    write(TokenProto.SERVICE_FIELD_NUMBER, token.getService());
    write(TokenProto.KIND_FIELD_NUMBER, token.getKind());
    out.bytes(TokenProto.PASSWORD_FIELD_NUMBER, token.getPassword());
    out.bytes(TokenProto.IDENTIFIER_FIELD_NUMBER, token.getIdentifier());
    out.message(LocatedBlockProto.BLOCKTOKEN_FIELD_NUMBER, end);
  }

  private void write(int field, Text text) {
    byte[] bytes = text.getBytes(); // with room behind them
    out.bytes(
        field,
        text.getLength(),
        (target, offset) -> System.arraycopy(bytes, 0, target, offset, text.getLength()));
  }

  private void writeStorages(LocatedBlock block) {
    String[] ids = block.getStorageIDs();
    for (int i = ids == null ? -1 : ids.length - 1; i >= 0; i--) {
      out.text(LocatedBlockProto.STORAGEIDS_FIELD_NUMBER, ids[i]);
    }
    StorageType[] types = block.getStorageTypes();
    for (int i = types == null ? -1 : types.length - 1; i >= 0; i--) {
      out.number(
          LocatedBlockProto.STORAGETYPES_FIELD_NUMBER,
          PBHelperClient.convertStorageType(types[i]).getNumber());
    }
  }

  private static ByteString message(DatanodeInfoWithStorage place) {
    return place instanceof ReplicaPlace known
        ? known.message()
        : PBHelperClient.convert(place).toByteString();
  }

  private void write(ExtendedBlock block) {
    int end = out.size();
    out.number(ExtendedBlockProto.NUMBYTES_FIELD_NUMBER, block.getNumBytes());
    out.number(ExtendedBlockProto.GENERATIONSTAMP_FIELD_NUMBER, block.getGenerationStamp());
    out.number(ExtendedBlockProto.BLOCKID_FIELD_NUMBER, block.getBlockId());
    out.text(ExtendedBlockProto.POOLID_FIELD_NUMBER, block.getBlockPoolId());
    out.message(LocatedBlockProto.B_FIELD_NUMBER, end);
  }
}
