package io.acaciafs.namespace.record.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.proto.BlockRecord;
import io.acaciafs.namespace.proto.DirectoryRecord;
import io.acaciafs.namespace.proto.FileRecord;
import io.acaciafs.namespace.proto.InodeRecord;
import io.acaciafs.namespace.proto.SymlinkRecord;
import io.acaciafs.namespace.proto.UnderConstructionRecord;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns inodes into rows and back, within one transaction or one reader. */
public final class InodeCodec {
  private static final int EXPECTED_BYTES = 128;

  private final Dictionary dictionary;
  private final Reader reader;
  private final Dictionary.@Nullable Scope names;

  private InodeCodec(Dictionary dictionary, Reader reader, Dictionary.@Nullable Scope names) {
    this.dictionary = dictionary;
    this.reader = reader;
    this.names = names;
  }

  public static InodeCodec in(Transaction transaction, Dictionary dictionary) {
    return new InodeCodec(dictionary, transaction.unguarded(), dictionary.in(transaction));
  }

  /** One that cannot encode, as new names need a transaction. */
  public static InodeCodec forReading(Reader reader, Dictionary dictionary) {
    return new InodeCodec(dictionary, reader, null);
  }

  public byte[] encode(Inode inode) {
    return isPlain(inode) ? encodePlain(inode) : encodeAny(inode);
  }

  private Dictionary.Scope names() {
    return Objects.requireNonNull(names, "a transaction writes what is encoded");
  }

  private static boolean isPlain(Inode inode) {
    return inode.features().equals(InodeFeatures.NONE)
        && (inode instanceof FileInode
            || inode instanceof DirectoryInode directory && directory.buckets().isOne());
  }

  /** What nearly every inode is: {@link PlainInode} reads it again. */
  private byte[] encodePlain(Inode inode) {
    Inode.Attributes attributes = inode.attributes();
    int owner = names().idOf(attributes.owner()); // before the group, as a new name gets a number
    int group = names().idOf(attributes.group());
    WireWriter row = new WireWriter(EXPECTED_BYTES);
    if (inode instanceof FileInode file) {
      int before = row.size();
      writePlain(file, row);
      row.message(InodeRecord.FILE_FIELD_NUMBER, before);
    } else if (inode instanceof DirectoryInode directory) {
      int before = row.size();
      if (!directory.locator().equals(Locator.spread(directory.id()))) {
        row.bytes(DirectoryRecord.LOCATOR_FIELD_NUMBER, directory.locator().toBytes());
      }
      row.message(InodeRecord.DIRECTORY_FIELD_NUMBER, before);
    }
    row.signedUnlessZero(
        InodeRecord.ACCESS_TIME_DELTA_MS_FIELD_NUMBER,
        attributes.accessTimeMs() - attributes.modificationTimeMs());
    row.numberUnlessZero(
        InodeRecord.MODIFICATION_TIME_MS_FIELD_NUMBER, attributes.modificationTimeMs());
    row.numberUnlessZero(InodeRecord.MODE_FIELD_NUMBER, Short.toUnsignedLong(attributes.mode()));
    row.numberUnlessZero(InodeRecord.GROUP_FIELD_NUMBER, group);
    row.numberUnlessZero(InodeRecord.OWNER_FIELD_NUMBER, owner);
    row.numberUnlessZero(InodeRecord.ID_FIELD_NUMBER, inode.id());
    return row.toBytes();
  }

  private static void writePlain(FileInode file, WireWriter row) {
    if (file.writer() != null) {
      int before = row.size();
      row.textUnlessEmpty(
          UnderConstructionRecord.CLIENT_MACHINE_FIELD_NUMBER, file.writer().clientMachine());
      row.textUnlessEmpty(
          UnderConstructionRecord.CLIENT_NAME_FIELD_NUMBER, file.writer().clientName());
      row.message(FileRecord.UNDER_CONSTRUCTION_FIELD_NUMBER, before);
    }
    for (int i = file.blocks().size() - 1; i >= 0; i--) {
      FileBlock block = file.blocks().get(i);
      int before = row.size();
      row.numberUnlessZero(BlockRecord.LENGTH_BYTES_FIELD_NUMBER, block.lengthBytes());
      row.numberUnlessZero(BlockRecord.GENERATION_STAMP_FIELD_NUMBER, block.generationStamp());
      row.numberUnlessZero(BlockRecord.ID_FIELD_NUMBER, block.id());
      row.message(FileRecord.BLOCKS_FIELD_NUMBER, before);
    }
    row.numberUnlessZero(
        FileRecord.PREFERRED_BLOCK_SIZE_BYTES_FIELD_NUMBER, file.preferredBlockSizeBytes());
    row.numberUnlessZero(
        FileRecord.REPLICATION_FIELD_NUMBER, Short.toUnsignedLong(file.replication()));
  }

  /** With the generated classes. */
  byte[] encodeAny(Inode inode) {
    Inode.Attributes attributes = inode.attributes();
    InodeRecord.Builder row =
        InodeRecord.newBuilder()
            .setId(inode.id())
            .setOwner(names().idOf(attributes.owner()))
            .setGroup(names().idOf(attributes.group()))
            .setMode(attributes.mode())
            .setModificationTimeMs(attributes.modificationTimeMs())
            .setAccessTimeDeltaMs(attributes.accessTimeMs() - attributes.modificationTimeMs());
    FeaturesCodec.encode(attributes.features(), names()::idOf, row);
    if (inode instanceof FileInode file) {
      row.setFile(encode(file));
    } else if (inode instanceof DirectoryInode directory) {
      row.setDirectory(encode(directory));
    } else if (inode instanceof SymlinkInode link) {
      row.setSymlink(SymlinkRecord.newBuilder().setTarget(link.target()));
    }
    return row.build().toByteArray();
  }

  private static FileRecord encode(FileInode file) {
    FileRecord.Builder row =
        FileRecord.newBuilder()
            .setReplication(file.replication())
            .setPreferredBlockSizeBytes(file.preferredBlockSizeBytes());
    for (FileBlock block : file.blocks()) {
      row.addBlocks(
          BlockRecord.newBuilder()
              .setId(block.id())
              .setGenerationStamp(block.generationStamp())
              .setLengthBytes(block.lengthBytes()));
    }
    if (file.writer() != null) {
      row.setUnderConstruction(
          UnderConstructionRecord.newBuilder()
              .setClientName(file.writer().clientName())
              .setClientMachine(file.writer().clientMachine()));
    }
    return row.build();
  }

  private static DirectoryRecord encode(DirectoryInode directory) {
    DirectoryRecord.Builder row = DirectoryRecord.newBuilder();
    if (!directory.locator().equals(Locator.spread(directory.id()))) {
      row.setLocator(ByteString.copyFrom(directory.locator().toBytes()));
    }
    if (!directory.buckets().isOne()) {
      row.setBuckets(directory.buckets().toRecord());
    }
    return row.build();
  }

  /**
   * @throws StoreException when the bytes are no inode
   */
  public Inode decode(byte[] row) {
    return decode(row, 0, row.length);
  }

  /**
   * @throws StoreException when the bytes of this row, which stand in a buffer, are no inode
   */
  public Inode decode(byte[] buffer, int offset, int length) {
    PlainInode plain = new PlainInode(true);
    return plain.read(buffer, offset, length) ? decode(plain) : decodeAny(buffer, offset, length);
  }

  private Inode decode(PlainInode inode) {
    Inode.Attributes attributes =
        new Inode.Attributes(
            dictionary.nameOf(inode.owner(), reader),
            dictionary.nameOf(inode.group(), reader),
            inode.mode(),
            inode.modificationTimeMs(),
            inode.accessTimeMs(),
            inode.hasStoragePolicy()
                ? InodeFeatures.NONE.withStoragePolicyId(inode.storagePolicyId())
                : InodeFeatures.NONE);
    return switch (inode.kind()) {
      case FILE ->
          new FileInode(
              inode.id(),
              attributes,
              inode.replication(),
              inode.preferredBlockSizeBytes(),
              inode.blocks(),
              inode.writer());
      case DIRECTORY -> new DirectoryInode(inode.id(), inode.locator(), attributes);
    };
  }

  /** With the generated classes: what {@link PlainInode} reads too, and all else. */
  Inode decodeAny(byte[] buffer, int offset, int length) {
    try {
      InodeRecord inode = InodeRecord.parser().parseFrom(buffer, offset, length);
      Inode.Attributes attributes =
          new Inode.Attributes(
              dictionary.nameOf(inode.getOwner(), reader),
              dictionary.nameOf(inode.getGroup(), reader),
              (short) inode.getMode(),
              inode.getModificationTimeMs(),
              inode.getModificationTimeMs() + inode.getAccessTimeDeltaMs(),
              FeaturesCodec.decode(inode, id -> dictionary.nameOf(id, reader)));
      return switch (inode.getKindCase()) {
        case FILE -> decode(inode.getId(), attributes, inode.getFile());
        case DIRECTORY -> decode(inode.getId(), attributes, inode.getDirectory());
        case SYMLINK -> new SymlinkInode(inode.getId(), attributes, inode.getSymlink().getTarget());
        case KIND_NOT_SET -> throw new StoreException("An inode of no kind id=" + inode.getId());
      };
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not an inode", e);
    }
  }

  private static FileInode decode(long id, Inode.Attributes attributes, FileRecord file) {
    List<FileBlock> blocks = new ArrayList<>(file.getBlocksCount());
    for (BlockRecord block : file.getBlocksList()) {
      blocks.add(new FileBlock(block.getId(), block.getGenerationStamp(), block.getLengthBytes()));
    }
    FileInode.Writer writer =
        file.hasUnderConstruction()
            ? new FileInode.Writer(
                file.getUnderConstruction().getClientName(),
                file.getUnderConstruction().getClientMachine())
            : null;
    return new FileInode(
        id,
        attributes,
        (short) file.getReplication(),
        file.getPreferredBlockSizeBytes(),
        blocks,
        writer);
  }

  private static DirectoryInode decode(
      long id, Inode.Attributes attributes, DirectoryRecord directory) {
    Locator locator =
        directory.getLocator().isEmpty()
            ? Locator.spread(id)
            : Locator.of(directory.getLocator().toByteArray());
    return new DirectoryInode(id, locator, attributes, Buckets.of(directory.getBuckets()));
  }
}
