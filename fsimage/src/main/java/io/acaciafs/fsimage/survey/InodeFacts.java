package io.acaciafs.fsimage.survey;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockTypeProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INodeFile;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a first look at an inode tells: most of it is passed over, which takes a fraction of the
 * time of making objects of it. For one thread, used for one inode after the other.
 */
public final class InodeFacts {
  private INode.@Nullable Type type;
  private long id;
  private int bodyStart;
  private int bodyLength;
  private int blocks;
  private long bytes;
  private long lowestBlockId;
  private long lowestStamp;
  private boolean isStriped;
  private boolean isOpen;
  private boolean hasAcl;
  private boolean hasXAttrs;
  private boolean hasPolicy;

  /**
   * @throws IOException when the bytes are no inode
   */
  public void read(byte[] message, int start, int length) throws IOException {
    type = null;
    id = 0;
    bodyLength = 0;
    bodyStart = start;
    CodedInputStream in = CodedInputStream.newInstance(message, start, length);
    for (int tag; (tag = in.readTag()) != 0; ) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case INode.TYPE_FIELD_NUMBER -> type = INode.Type.forNumber(in.readEnum());
        case INode.ID_FIELD_NUMBER -> id = in.readUInt64();
        case INode.FILE_FIELD_NUMBER, INode.DIRECTORY_FIELD_NUMBER -> {
          bodyLength = in.readRawVarint32();
          bodyStart = start + in.getTotalBytesRead();
          in.skipRawBytes(bodyLength);
        }
        default -> in.skipField(tag);
      }
    }
    if (type == INode.Type.FILE) {
      readFile(CodedInputStream.newInstance(message, bodyStart, bodyLength));
    }
  }

  private void readFile(CodedInputStream in) throws IOException {
    blocks = 0;
    bytes = 0;
    lowestBlockId = 0;
    lowestStamp = Long.MAX_VALUE;
    isStriped = false;
    isOpen = false;
    hasAcl = false;
    hasXAttrs = false;
    hasPolicy = false;
    for (int tag; (tag = in.readTag()) != 0; ) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case INodeFile.BLOCKS_FIELD_NUMBER -> readBlock(in);
        case INodeFile.FILEUC_FIELD_NUMBER -> isOpen = in.skipField(tag);
        case INodeFile.ACL_FIELD_NUMBER -> hasAcl = in.skipField(tag);
        case INodeFile.XATTRS_FIELD_NUMBER -> hasXAttrs = in.skipField(tag);
        case INodeFile.STORAGEPOLICYID_FIELD_NUMBER -> hasPolicy = in.readUInt32() != 0;
        case INodeFile.ERASURECODINGPOLICYID_FIELD_NUMBER -> isStriped = in.skipField(tag);
        case INodeFile.BLOCKTYPE_FIELD_NUMBER ->
            isStriped |= in.readEnum() == BlockTypeProto.STRIPED_VALUE;
        default -> in.skipField(tag);
      }
    }
  }

  /** Fields 1 to 3: id, stamp, length. */
  private void readBlock(CodedInputStream in) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag; (tag = in.readTag()) != 0; ) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> lowestBlockId = Math.min(lowestBlockId, in.readUInt64());
        case 2 -> lowestStamp = Math.min(lowestStamp, in.readUInt64());
        case 3 -> bytes += in.readUInt64();
        default -> in.skipField(tag);
      }
    }
    in.popLimit(limit);
    blocks++;
  }

  /** Null where there is none that is known. */
  INode.@Nullable Type type() {
    return type;
  }

  public long id() {
    return id;
  }

  int blocks() {
    return blocks;
  }

  long bytes() {
    return bytes;
  }

  boolean isOpen() {
    return isOpen;
  }

  boolean hasAcl() {
    return hasAcl;
  }

  boolean hasXAttrs() {
    return hasXAttrs;
  }

  boolean hasPolicy() {
    return hasPolicy;
  }

  /**
   * Why a file cannot be taken.
   *
   * @param legacyStampLimit blocks with stamps below were given random ids
   * @return null where it can be
   */
  public @Nullable Refusal refusal(long legacyStampLimit) {
    if (type != INode.Type.FILE) {
      return null;
    }
    if (isStriped) {
      return Refusal.ERASURE_CODED_FILE;
    }
    return lowestBlockId < 0 || lowestStamp < legacyStampLimit
        ? Refusal.BLOCK_BEFORE_SEQUENTIAL_IDS
        : null;
  }
}
