package io.acaciafs.namespace.record.codec;

import io.acaciafs.kv.value.Saturated;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of nearly every inode, read from its row by hand: a file or a directory without an
 * ACL, extended attributes or a quota. Where a row holds anything else, garbage included, it is not
 * plain, and the generated classes say what it is: so both read the same language.
 *
 * <p>May be used for one row after the other. Used by one thread.
 */
final class PlainInode extends WireReader {
  enum Kind {
    FILE,
    DIRECTORY
  }

  private static final int ID = 1 << 3 | VARINT;
  private static final int OWNER = 2 << 3 | VARINT;
  private static final int GROUP = 3 << 3 | VARINT;
  private static final int MODE = 4 << 3 | VARINT;
  private static final int MODIFICATION_TIME = 5 << 3 | VARINT;
  private static final int ACCESS_TIME_DELTA = 6 << 3 | VARINT;
  private static final int FILE = 7 << 3 | LENGTH_DELIMITED;
  private static final int DIRECTORY = 8 << 3 | LENGTH_DELIMITED;
  private static final int STORAGE_POLICY = 11 << 3 | VARINT;

  private static final int FILE_REPLICATION = 1 << 3 | VARINT;
  private static final int FILE_BLOCK_SIZE = 2 << 3 | VARINT;
  private static final int FILE_BLOCK = 3 << 3 | LENGTH_DELIMITED;
  private static final int FILE_UNDER_CONSTRUCTION = 4 << 3 | LENGTH_DELIMITED;

  private static final int BLOCK_ID = 1 << 3 | VARINT;
  private static final int BLOCK_STAMP = 2 << 3 | VARINT;
  private static final int BLOCK_LENGTH = 3 << 3 | VARINT;

  private static final int CLIENT_NAME = 1 << 3 | LENGTH_DELIMITED;
  private static final int CLIENT_MACHINE = 2 << 3 | LENGTH_DELIMITED;

  private static final int DIRECTORY_LOCATOR = 1 << 3 | LENGTH_DELIMITED;

  private final boolean wantsBlocks;
  private @Nullable Kind kind;
  private long id;
  private int owner;
  private int group;
  private int mode;
  private long modificationTimeMs;
  private long accessTimeDeltaMs;
  private int storagePolicy;
  private int replication;
  private long preferredBlockSizeBytes;
  private int blockCount;
  private long lengthBytes;
  private long lastBlockBytes;
  private @Nullable FileBlock firstBlock;
  private @Nullable List<FileBlock> moreBlocks;
  private FileInode.@Nullable Writer writer;
  private byte @Nullable [] locator;

  /**
   * @param wantsBlocks whether {@link #blocks} is going to be asked for
   */
  PlainInode(boolean wantsBlocks) {
    this.wantsBlocks = wantsBlocks;
  }

  /**
   * @return false where the row is not plain; nothing may be asked then
   */
  boolean read(byte[] buffer, int offset, int length) {
    begin(buffer, offset);
    clear();
    int end = offset + length;
    while (position() < end) {
      switch (tag()) {
        case ID -> id = varint(end);
        case OWNER -> owner = (int) varint(end);
        case GROUP -> group = (int) varint(end);
        case MODE -> mode = (int) varint(end);
        case MODIFICATION_TIME -> modificationTimeMs = varint(end);
        case ACCESS_TIME_DELTA -> accessTimeDeltaMs = zigZag(varint(end));
        case STORAGE_POLICY -> storagePolicy = (int) varint(end);
        case FILE -> readKind(Kind.FILE, end);
        case DIRECTORY -> readKind(Kind.DIRECTORY, end);
        default -> setStrange();
      }
      if (isStrange()) {
        return false;
      }
    }
    return kind != null;
  }

  private void clear() {
    kind = null;
    id = 0;
    owner = 0;
    group = 0;
    mode = 0;
    modificationTimeMs = 0;
    accessTimeDeltaMs = 0;
    storagePolicy = 0;
    replication = 0;
    preferredBlockSizeBytes = 0;
    blockCount = 0;
    lengthBytes = 0;
    lastBlockBytes = 0;
    firstBlock = null;
    moreBlocks = null;
    writer = null;
    locator = null;
  }

  private void readKind(Kind newKind, int limit) {
    int end = endOfMessage(limit);
    if (kind != null) { // the generated class would merge the two
      setStrange();
    }
    kind = newKind;
    while (position() < end && !isStrange()) {
      if (newKind == Kind.FILE) {
        readFileField(end);
      } else if (tag() == DIRECTORY_LOCATOR) {
        locator = bytes(end);
      } else {
        setStrange();
      }
    }
  }

  private void readFileField(int end) {
    switch (tag()) {
      case FILE_REPLICATION -> replication = (int) varint(end);
      case FILE_BLOCK_SIZE -> preferredBlockSizeBytes = varint(end);
      case FILE_BLOCK -> readBlock(end);
      case FILE_UNDER_CONSTRUCTION -> readWriter(end);
      default -> setStrange();
    }
  }

  private void readBlock(int limit) {
    int end = endOfMessage(limit);
    long blockId = 0;
    long stamp = 0;
    long length = 0;
    while (position() < end && !isStrange()) {
      switch (tag()) {
        case BLOCK_ID -> blockId = varint(end);
        case BLOCK_STAMP -> stamp = varint(end);
        case BLOCK_LENGTH -> length = varint(end);
        default -> setStrange();
      }
    }
    blockCount++;
    lengthBytes = Saturated.add(lengthBytes, length);
    lastBlockBytes = length;
    if (wantsBlocks && !isStrange()) {
      add(new FileBlock(blockId, stamp, length));
    }
  }

  private void add(FileBlock block) {
    if (firstBlock == null) {
      firstBlock = block;
      return;
    }
    if (moreBlocks == null) {
      moreBlocks = new ArrayList<>();
      moreBlocks.add(firstBlock);
    }
    moreBlocks.add(block);
  }

  private void readWriter(int limit) {
    int end = endOfMessage(limit);
    if (writer != null) { // the generated class would merge the two
      setStrange();
    }
    String clientName = "";
    String clientMachine = "";
    while (position() < end && !isStrange()) {
      switch (tag()) {
        case CLIENT_NAME -> clientName = ascii(end);
        case CLIENT_MACHINE -> clientMachine = ascii(end);
        default -> setStrange();
      }
    }
    writer = new FileInode.Writer(clientName, clientMachine);
  }

  private static long zigZag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  private byte[] bytes(int limit) {
    int end = endOfMessage(limit);
    byte[] copy = Arrays.copyOfRange(buffer(), position(), end);
    moveTo(end);
    return copy;
  }

  private String ascii(int limit) {
    int end = endOfMessage(limit);
    int from = position();
    int to = from;
    while (to < end && buffer()[to] >= 0) {
      to++;
    }
    moveTo(to);
    if (to < end) { // or no UTF-8 at all
      setStrange();
    }
    return new String(buffer(), from, to - from, StandardCharsets.ISO_8859_1);
  }

  Kind kind() {
    return Objects.requireNonNull(kind, "an inode was read");
  }

  long id() {
    return id;
  }

  /** Dictionary id. */
  int owner() {
    return owner;
  }

  /** Dictionary id. */
  int group() {
    return group;
  }

  short mode() {
    return (short) mode;
  }

  long modificationTimeMs() {
    return modificationTimeMs;
  }

  long accessTimeMs() {
    return modificationTimeMs + accessTimeDeltaMs;
  }

  /** 0 where there is none. */
  byte storagePolicyId() {
    return (byte) storagePolicy;
  }

  boolean hasStoragePolicy() {
    return storagePolicy != 0;
  }

  short replication() {
    return (short) replication;
  }

  long preferredBlockSizeBytes() {
    return preferredBlockSizeBytes;
  }

  int blockCount() {
    return blockCount;
  }

  /** Of all blocks together. */
  long lengthBytes() {
    return lengthBytes;
  }

  /** 0 where there is none. */
  long lastBlockBytes() {
    return lastBlockBytes;
  }

  List<FileBlock> blocks() {
    if (moreBlocks != null) {
      return List.copyOf(moreBlocks);
    }
    return firstBlock == null ? List.of() : List.of(firstBlock);
  }

  /** Null for a closed file. */
  FileInode.@Nullable Writer writer() {
    return writer;
  }

  Locator locator() {
    return locator == null || locator.length == 0 ? Locator.spread(id) : Locator.of(locator);
  }
}
