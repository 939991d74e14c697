package io.acaciafs.namenode.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.record.Acl;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.tree.InodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DirectoryListingProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Replies written by hand are, byte for byte, those of the generated classes. */
class ReadRepliesTest {
  private static final int REPLIES = 2_000;

  private final Random random = new Random(1);

  @Test
  void aStatusIsWrittenAsItsMessage() {
    for (int i = 0; i < REPLIES; i++) {
      InodeStatus status = anyStatus();
      assertThat(ReadReplies.fileInfo(status).toByteArray())
          .isEqualTo(
              GetFileInfoResponseProto.newBuilder()
                  .setFs(StatusMessages.of(status))
                  .build()
                  .toByteArray());
    }
    assertThat(ReadReplies.fileInfo(null).toByteArray()).isEmpty();
  }

  @Test
  void aListingIsWrittenAsItsMessage() {
    for (int i = 0; i < REPLIES / 10; i++) {
      List<InodeStatus> entries = new ArrayList<>();
      for (int entry = random.nextInt(200); entry > 0; entry--) {
        entries.add(anyStatus());
      }
      boolean hasMore = random.nextBoolean();
      boolean isLocated = random.nextBoolean();
      LocatedBlocks located = anyLocatedBlocks();
      DirectoryListingProto.Builder listing = DirectoryListingProto.newBuilder();
      for (InodeStatus entry : entries) {
        listing.addPartialListing(StatusMessages.of(entry, isLocated ? located : null));
      }
      assertThat(
              ReadReplies.listing(
                      new GetListing.Page(entries, hasMore), isLocated ? entry -> located : null)
                  .toByteArray())
          .isEqualTo(
              GetListingResponseProto.newBuilder()
                  .setDirList(listing.setRemainingEntries(hasMore ? 1 : 0))
                  .build()
                  .toByteArray());
    }
    assertThat(ReadReplies.listing(null, null).toByteArray()).isEmpty();
  }

  @Test
  void locationsAreWrittenAsTheirMessage() {
    for (int i = 0; i < REPLIES; i++) {
      LocatedBlocks located = anyLocatedBlocks();
      assertThat(ReadReplies.locations(located).toByteArray())
          .isEqualTo(
              GetBlockLocationsResponseProto.newBuilder()
                  .setLocations(PBHelperClient.convert(located))
                  .build()
                  .toByteArray());
    }
  }

  private InodeStatus anyStatus() {
    Inode inode = anyInode();
    byte[] name = new byte[random.nextInt(random.nextInt(100) == 0 ? 20_000 : 60)];
    random.nextBytes(name);
    return new InodeStatus(
        name, inode, anyLong(), random.nextInt(3) * random.nextInt(), (byte) random.nextInt());
  }

  private Inode anyInode() {
    InodeFeatures features = InodeFeatures.NONE;
    if (random.nextInt(4) == 0) {
      AclEntry entry =
          new AclEntry.Builder().setName("somebody").setPermission(FsAction.READ).build();
      features = features.withAcl(new Acl(List.of(entry), List.of()));
    }
    Inode.Attributes attributes =
        new Inode.Attributes(
            anyName(), anyName(), (short) random.nextInt(), anyLong(), anyLong(), features);
    return switch (random.nextInt(4)) {
      case 0 -> new DirectoryInode(anyLong(), Locator.spread(1), attributes);
      case 1 -> new SymlinkInode(anyLong(), attributes, "/to/" + anyName());
      default -> anyFile(attributes);
    };
  }

  private FileInode anyFile(Inode.Attributes attributes) {
    List<FileBlock> blocks = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      blocks.add(new FileBlock(anyLong(), anyLong(), anyLong()));
    }
    return new FileInode(anyLong(), attributes, (short) random.nextInt(), anyLong(), blocks, null);
  }

  private LocatedBlocks anyLocatedBlocks() {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      blocks.add(anyLocatedBlock());
    }
    return new LocatedBlocks(
        anyLong(),
        random.nextBoolean(),
        blocks,
        random.nextBoolean() ? null : anyLocatedBlock(),
        random.nextBoolean(),
        null,
        null);
  }

  private LocatedBlock anyLocatedBlock() {
    int count = random.nextInt(4);
    DatanodeInfoWithStorage[] places = new DatanodeInfoWithStorage[count];
    String[] ids = new String[count];
    StorageType[] types = new StorageType[count];
    for (int i = 0; i < count; i++) {
      ids[i] = "DS-" + anyName();
      types[i] = StorageType.values()[random.nextInt(StorageType.values().length)];
      places[i] = new DatanodeInfoWithStorage(anyDatanode(i), ids[i], types[i]);
    }
    boolean isCached = count > 0 && random.nextInt(8) == 0;
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("BP-1-127.0.0.1-" + anyName(), anyLong(), anyLong(), anyLong()),
            places,
            ids,
            types,
            anyLong(),
            random.nextBoolean(),
            isCached ? new DatanodeInfo[] {places[0]} : null);
    if (random.nextInt(4) == 0) {
      block.setBlockToken(
          new Token<BlockTokenIdentifier>(
              anyBytes(200), anyBytes(40), new Text(anyName()), new Text(anyName())));
    }
    return block;
  }

  private byte[] anyBytes(int fewerThan) {
    byte[] bytes = new byte[random.nextInt(fewerThan)];
    random.nextBytes(bytes);
    return bytes;
  }

  private DatanodeInfo anyDatanode(int number) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0." + number, anyName(), anyName(), 1, 2, 3, 4))
        .setNetworkLocation("/rack" + number)
        .setCapacity(anyLong())
        .setRemaining(anyLong())
        .build();
  }

  private String anyName() {
    return random.nextInt(8) == 0 ? "h\u00e9\ud83d\ude00" : "name" + random.nextInt(1 << 20);
  }

  private long anyLong() {
    return random.nextLong() >>> random.nextInt(64);
  }
}
