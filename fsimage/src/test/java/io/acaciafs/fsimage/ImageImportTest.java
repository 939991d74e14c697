package io.acaciafs.fsimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.ImageSource;
import io.acaciafs.fsimage.survey.Refusal;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.Acl;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageImportTest {
  private static final long ROOT = TestImage.ROOT;
  private static final Inode.Attributes ATTRIBUTES =
      new Inode.Attributes("alice", "staff", (short) 01750, 5000, 6000);

  @TempDir private Path folder;

  private static void put(MemoryStore store, long directory, String name, Inode inode) {
    Transaction tx = store.begin();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    Locator locator = Locator.spread(directory);
    tx.put(
        NamespaceKeys.entry(locator, 0, bytes), InodeCodec.in(tx, new Dictionary()).encode(inode));
    tx.put(NamespaceKeys.inode(inode.id()), new InodeLocation(locator, bytes).encode());
    IdKind.INODE.skipTo(tx, 20_000);
    IdKind.BLOCK.skipTo(tx, (1L << 33) + 2);
    tx.commit().join();
  }

  private static FileInode file(long id, long blockId, InodeFeatures features) {
    return new FileInode(
        id,
        ATTRIBUTES.withFeatures(features),
        (short) 2,
        1 << 20,
        List.of(new FileBlock(blockId, 1003, 100), new FileBlock(blockId + 1, 1004, 7)),
        null);
  }

  private static DirectoryInode directory(long id, InodeFeatures features) {
    Inode.Attributes attributes =
        new Inode.Attributes("bob", "staff", (short) 0700, 7000, 0, features);
    return new DirectoryInode(id, Locator.spread(id), attributes);
  }

  /** Something of everything. */
  private Path variedImage() throws IOException {
    InodeFeatures rich =
        InodeFeatures.NONE
            .withAcl(
                new Acl(
                    AclEntry.parseAclSpec("user:eve:r--,group:ops:rw-,group::r-x", true),
                    AclEntry.parseAclSpec("default:user:ann:r-x,default:mask::r-x", true)))
            .withXAttrs(
                List.of(
                    xattr(XAttr.NameSpace.USER, "a", new byte[] {1, 2}),
                    xattr(XAttr.NameSpace.TRUSTED, "b", null),
                    xattr(XAttr.NameSpace.RAW, "c", new byte[] {3})));
    InodeFeatures limited =
        rich.withStoragePolicyId((byte) 12)
            .withQuota(new Quota(100, 1 << 30, Map.of(StorageType.SSD, 1L << 29)));
    try (MemoryStore store = new MemoryStore()) {
      put(store, 0, "", directory(ROOT, InodeFeatures.NONE));
      put(store, ROOT, "limited", directory(16386, limited));
      put(store, 16386, "\u00e9", file(16387, 1L << 31, rich.withStoragePolicyId((byte) 2)));
      put(store, 16386, "link", new SymlinkInode(16388, ATTRIBUTES, "../else"));
      put(
          store,
          16386,
          "inner",
          directory(16389, InodeFeatures.NONE.withQuota(new Quota(9, -1, Map.of()))));
      put(store, 16389, "z", file(16390, 1L << 32, InodeFeatures.NONE));
      put(
          store,
          ROOT,
          "open",
          file(16391, 1L << 33, InodeFeatures.NONE)
              .withWriter(new FileInode.Writer("DFSClient_1", "10.0.0.1")));
      new ImageExport(store, ImportFixture.IDENTITY)
          .run(folder.resolve("source"), ImageProgress.NONE);
    }
    return folder.resolve("source/current/fsimage_0000000000000000001");
  }

  private static XAttr xattr(XAttr.NameSpace space, String name, byte[] value) {
    return new XAttr.Builder().setNameSpace(space).setName(name).setValue(value).build();
  }

  private static Inode read(ImportFixture target, long directory, String name) {
    return read(target, Locator.spread(directory), name);
  }

  private static Inode read(ImportFixture target, Locator directory, String name) {
    byte[] row =
        target
            .store()
            .get(NamespaceKeys.entry(directory, 0, name.getBytes(StandardCharsets.UTF_8)));
    return row == null ? null : InodeCodec.forReading(target.store(), new Dictionary()).decode(row);
  }

  @Test
  void bringsEverythingOfAnInode() throws Exception {
    Path image = variedImage();
    try (ImportFixture target = new ImportFixture(folder)) {
      assertThat(target.load(image)).isZero();

      DirectoryInode limited = (DirectoryInode) read(target, ROOT, "limited");
      assertThat(limited.features().quota())
          .isEqualTo(new Quota(100, 1 << 30, Map.of(StorageType.SSD, 1L << 29)));
      assertThat(limited.features().storagePolicyId()).isEqualTo((byte) 12);
      assertThat(limited.features().acl().defaults()).hasSize(2);
      FileInode rich = (FileInode) read(target, 16386, "\u00e9");
      assertThat(rich.features().xattrs()).hasSize(3);
      assertThat(rich.features().acl().access())
          .isEqualTo(AclEntry.parseAclSpec("user:eve:r--,group:ops:rw-,group::r-x", true));
      assertThat(rich.attributes().withFeatures(InodeFeatures.NONE)).isEqualTo(ATTRIBUTES);
      assertThat(rich.blocks())
          .containsExactly(
              new FileBlock(1L << 31, 1003, 100), new FileBlock((1L << 31) + 1, 1004, 7));
      assertThat(read(target, 16386, "link"))
          .isEqualTo(new SymlinkInode(16388, ATTRIBUTES, "../else"));
      FileInode open = (FileInode) read(target, ROOT, "open");
      assertThat(open.writer()).isEqualTo(new FileInode.Writer("DFSClient_1", "10.0.0.1"));
      assertThat(OpenFile.decode(target.store().get(NamespaceKeys.openFile(16391))).clientName())
          .isEqualTo("DFSClient_1");
      assertThat(IdKind.INODE.peekNext(target.store())).isEqualTo(20_000);
      assertThat(IdKind.BLOCK.peekNext(target.store())).isEqualTo((1L << 33) + 2);
    }
  }

  /** An image knows nothing of buckets, but for the attribute that asked for them. */
  @Test
  void spreadsADirectoryOverTheBucketsThatWereAskedFor() throws Exception {
    int files = 100;
    Buckets buckets = Buckets.uniform(8);
    XAttr asked = xattr(XAttr.NameSpace.USER, "acacia.buckets", new byte[] {'8'});
    DirectoryInode spread =
        directory(16386, InodeFeatures.NONE.withXAttrs(List.of(asked))).with(buckets);
    try (MemoryStore store = new MemoryStore()) {
      put(store, 0, "", directory(ROOT, InodeFeatures.NONE));
      put(store, ROOT, "spread", spread);
      Transaction tx = store.begin();
      tx.put(NamespaceKeys.header(spread.locator()), buckets.encode());
      for (int i = 0; i < files; i++) {
        byte[] name = nameOf(i);
        FileInode file = file(16400 + i, (1L << 31) + 2 * i, InodeFeatures.NONE);
        tx.put(
            NamespaceKeys.entry(spread.locator(), buckets.of(name), name),
            InodeCodec.in(tx, new Dictionary()).encode(file));
        tx.put(NamespaceKeys.inode(file.id()), new InodeLocation(spread.locator(), name).encode());
      }
      tx.commit().join();
      new ImageExport(store, ImportFixture.IDENTITY)
          .run(folder.resolve("source"), ImageProgress.NONE);
    }
    Path image = folder.resolve("source/current/fsimage_0000000000000000001");
    StringBuilder children = new StringBuilder("<directory><parent>16386</parent>");
    for (int i = 0; i < files; i++) {
      children.append("<child>").append(16400 + i).append("</child>");
    }
    assertThat(ImageText.of(image)).contains(children.append("</directory>"));

    try (ImportFixture target = new ImportFixture(folder)) {
      assertThat(target.load(image)).isZero();
      assertThat(((DirectoryInode) read(target, ROOT, "spread")).buckets()).isEqualTo(buckets);
      assertThat(Buckets.decode(target.store().get(NamespaceKeys.header(spread.locator()))))
          .isEqualTo(buckets);
      long counted = 0;
      for (int bucket : buckets.numbers()) {
        Key counters = NamespaceKeys.counters(spread.locator(), bucket);
        counted += DirectoryCounters.decode(target.store().get(counters)).entries();
      }
      assertThat(counted).isEqualTo(files);
      for (int i = 0; i < files; i++) {
        Key entry = NamespaceKeys.entry(spread.locator(), buckets.of(nameOf(i)), nameOf(i));
        assertThat(target.store().get(entry)).isNotNull();
      }
      assertThat(ImageText.of(target.export(folder.resolve("back")))).contains(children);
    }
  }

  @Test
  void placesDirectoriesAsTheStoreSays() throws Exception {
    Path image = variedImage();
    String spread;
    try (ImportFixture target = new ImportFixture(folder.resolve("spread"))) {
      target.load(image);
      spread = ImageText.of(target.export(folder.resolve("of-spread")));
    }
    try (ImportFixture target = new ImportFixture(folder.resolve("locality"))) {
      target.place(RowKeyLayout.LOCALITY);
      target.load(image);
      DirectoryInode limited = (DirectoryInode) read(target, ROOT, "limited");
      assertThat(limited.locator()).isEqualTo(RowKeyLayout.LOCALITY.locate(0, ROOT, 16386));
      DirectoryInode inner = (DirectoryInode) read(target, limited.locator(), "inner");
      assertThat(inner.locator()).isEqualTo(RowKeyLayout.LOCALITY.locate(ROOT, 16386, 16389));
      assertThat(read(target, inner.locator(), "z").id()).isEqualTo(16390);
      assertThat(target.store().get(NamespaceKeys.counters(limited.locator(), 0))).isNotNull();
      assertThat(ImageText.of(target.export(folder.resolve("of-locality")))).isEqualTo(spread);
    }
  }

  private static byte[] nameOf(int i) {
    return String.format("part-%05d", i).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The source's NameNode may have issued any stamp up to its own for the block that is written.
   */
  @Test
  void keepsTheGenerationStampOfTheImage() throws Exception {
    Path image = variedImage();
    long stamp = stampOf(image);
    try (ImportFixture target = new ImportFixture(folder)) {
      target.load(image);
      assertThat(blockRow(target, (1L << 33) + 1).getIssuedGenerationStamp()).isEqualTo(stamp);
      assertThat(blockRow(target, 1L << 33).getIssuedGenerationStamp()).isZero();
      assertThat(stampOf(target.export(folder.resolve("back")))).isGreaterThan(stamp);
    }
  }

  private static long stampOf(Path image) throws IOException {
    return ImageSource.read(ImageFile.open(image)).nameSystem().getGenstampV2();
  }

  private static BlockRow blockRow(ImportFixture target, long blockId) throws IOException {
    return BlockRow.parseFrom(target.store().get(LoadedBlocks.key(blockId)));
  }

  /** Names: two directories, a file each, a link. Space: 107 bytes twice, for each file. */
  @Test
  void countsWhatIsUsedOfQuotas() throws Exception {
    Path image = variedImage();
    try (ImportFixture target = new ImportFixture(folder)) {
      target.load(image);
      QuotaCounts outer = QuotaCounts.decode(target.store().get(NamespaceKeys.quotaUsage(16386)));
      assertThat(outer.names()).isEqualTo(5);
      assertThat(outer.spaceBytes()).isEqualTo(428);
      assertThat(outer.typeBytes(StorageType.SSD)).isEqualTo(214);
      QuotaCounts inner = QuotaCounts.decode(target.store().get(NamespaceKeys.quotaUsage(16389)));
      assertThat(inner.names()).isEqualTo(2);
      assertThat(inner.spaceBytes()).isEqualTo(214);
      assertThat(target.store().get(NamespaceKeys.quotaUsage(ROOT))).isNull();
    }
  }

  @Test
  void whatWasImportedIsExportedTheSame() throws Exception {
    Path image = variedImage();
    try (ImportFixture target = new ImportFixture(folder)) {
      target.load(image);
      Path again = target.export(folder.resolve("again"));
      assertThat(withoutMargins(again)).isEqualTo(withoutMargins(image));
      assertThat(ImageText.of(again)).contains("<name>inner</name>");
    }
  }

  private static String withoutMargins(Path image) throws IOException {
    return ImageText.of(image).replaceAll("<(txid|genstampV2)>\\d+</", "<$1></");
  }

  @Test
  void saysWhatCannotBeTakenAndWhere() throws Exception {
    Path image =
        new TestImage()
            .directory(16386, "d")
            .stripedFile(16387, "ec")
            .zone(16388, "zone")
            .file(16389, "plain", 5)
            .children(ROOT, 16386L, 16388L)
            .children(16386, 16387L)
            .children(16388, 16389L)
            .snapshotOf(16386)
            .write(folder.resolve("image"));
    try (ImageImport source =
        ImageImport.open(image, folder.resolve("tmp"), 1, true, ImageProgress.NONE)) {
      ImageReport report = source.survey(ImageProgress.NONE);
      assertThat(report.counts().files()).isEqualTo(2);
      assertThat(report.counts().directories()).isEqualTo(3);
      assertThat(report.paths())
          .containsOnly(
              entry(Refusal.ERASURE_CODED_FILE, List.of("/d/ec")),
              entry(Refusal.ENCRYPTION_ZONE, List.of("/zone")),
              entry(Refusal.SNAPSHOT, List.of("/d")));
    }
    try (ImportFixture target = new ImportFixture(folder)) {
      assertThat(target.load(image)).isEqualTo(3);
      assertThat(read(target, ROOT, "d")).isNotNull();
      assertThat(read(target, ROOT, "zone")).isNull();
      assertThat(read(target, 16388, "plain")).isNull();
      assertThat(read(target, 16386, "ec")).isNull();
    }
  }

  /** What is only in a snapshot is in no directory that is there now. */
  @Test
  void takesThePresentTreeOfWhatHasSnapshots() throws Exception {
    Path image =
        new TestImage()
            .directory(16386, "d")
            .file(16387, "renamed", 5)
            .file(16388, "deleted", 6)
            .directory(16389, "deleted-directory")
            .file(16390, "below", 7)
            .children(ROOT, 16386L)
            .referredChild(16386, 16387)
            .children(16389, 16390L)
            .snapshotOf(16386)
            .write(folder.resolve("image"));
    try (ImportFixture target = new ImportFixture(folder)) {
      assertThat(target.load(image)).isEqualTo(3);
      assertThat(read(target, 16386, "renamed")).isNotNull();
      assertThat(read(target, 16389, "below")).isNull();
    }
  }

  @Test
  void refusesWhatCannotBeATree() throws Exception {
    refuses("its root is no directory", new TestImage().file(ROOT, "", 5));
    refuses("is in no directory", new TestImage().file(16386, "lost", 5));
    refuses(
        "is below itself",
        new TestImage()
            .directory(16386, "a")
            .directory(16387, "b")
            .children(16386, 16387L)
            .children(16387, 16386L));
    refuses(
        "is in two directories",
        new TestImage().directory(16386, "a").children(ROOT, 16386L, 16386L));
    refuses("of these inodes are there", new TestImage().children(ROOT, 16386L));
    refuses(
        "is no directory",
        new TestImage().file(16386, "f", 5).children(ROOT, 16386L).children(16386, 16387L));
    refuses(
        "two entries of one name",
        new TestImage().file(16386, "f", 5).file(16387, "f", 6).children(ROOT, 16386L, 16387L));
    refuses(
        "is in two places",
        new TestImage().file(16386, "f", 5).file(16387, "g", 5).children(ROOT, 16386L, 16387L));
    refuses(
        "a name that cannot be one", new TestImage().file(16386, "a/b", 5).children(ROOT, 16386L));
    refuses("two inodes", new TestImage().directory(16386, "a").directory(16386, "a"));
  }

  @Test
  void refusesStoragePoliciesThatAreNone() throws Exception {
    for (int id : List.of(3, 16, 28, 255, 256 + 7)) {
      refuses(
          "inode 16386 has the storage policy " + id,
          new TestImage().fileOfPolicy(16386, "f", id).children(ROOT, 16386L));
    }
  }

  private void refuses(String reason, TestImage image) throws IOException {
    Path file = image.write(folder.resolve("image"));
    Path place = Files.createTempDirectory(folder, "target");
    try (ImportFixture target = new ImportFixture(place)) {
      assertThatThrownBy(() -> target.load(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(reason);
      assertThat(target.temporary()).doesNotExist();
    }
  }

  /** Nobody could tell the DataNodes that it is over, and they would keep what they delete. */
  @Test
  void refusesAnImageOfARollingUpgradeThatIsUnderWay() throws Exception {
    Path image =
        new TestImage().rollingUpgradeSince(1_795_000_000_000L).write(folder.resolve("image"));
    assertThatThrownBy(
            () -> ImageImport.open(image, folder.resolve("t"), 1, false, ImageProgress.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "The image was written during a rolling upgrade that began at 2026-11-18T11:06:40Z.")
        .hasMessageContaining("hdfs dfsadmin -rollingUpgrade finalize");
    assertThat(folder.resolve("t")).doesNotExist();
  }

  @Test
  void refusesAnImageThatDoesNotMatchItsChecksum() throws Exception {
    Path image = variedImage();
    byte[] bytes = Files.readAllBytes(image);
    bytes[bytes.length / 2] ^= 1;
    Files.write(image, bytes);
    assertThatThrownBy(
            () -> ImageImport.open(image, folder.resolve("t"), 1, true, ImageProgress.NONE))
        .hasMessageContaining("does not match its checksum");
    assertThat(folder.resolve("t")).doesNotExist();
  }

  /** Whatever is wrong: one sentence or, where nobody can tell, success; nothing left behind. */
  @Test
  void garbageIsRefusedWithASentence() throws Exception {
    Path image = variedImage();
    byte[] good = Files.readAllBytes(image);
    Files.delete(image.resolveSibling(image.getFileName() + ".md5"));
    Random random = new Random(1);
    int refused = 0;
    for (int round = 0; round < 150; round++) {
      byte[] bad = round % 3 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
      for (int flips = 1 + random.nextInt(3); round % 3 != 0 && flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(image, bad);
      refused += isRefused(image, round) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(50);
  }

  private boolean isRefused(Path image, int round) throws IOException {
    Path place = folder.resolve("round");
    try (ImageImport source = ImageImport.open(image, place, 1, true, ImageProgress.NONE)) {
      source.survey(ImageProgress.NONE);
      return false;
    } catch (IOException e) {
      assertThat(e.getMessage()).as("round %s", round).contains("image");
      return true;
    } finally {
      assertThat(place).as("round %s", round).doesNotExist();
    }
  }
}
