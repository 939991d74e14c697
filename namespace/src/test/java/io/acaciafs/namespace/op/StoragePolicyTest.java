package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.op.policy.GetStoragePolicy;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class StoragePolicyTest extends OperationTest {
  private String policy(String path) throws IOException {
    return fs.run(new GetStoragePolicy(path)).getName();
  }

  private void set(String path, String policy) throws IOException {
    fs.run(new SetStoragePolicy(path, policy));
  }

  @Test
  void thereAreNoOthersThanThoseOfHdfs() {
    StoragePolicies policies = new StoragePolicies(StoragePolicy.HOT);
    assertThat(policies.policy((byte) 0).getName()).isEqualTo("HOT");
    assertThat(policies.policy(StoragePolicy.COLD.value()).getName()).isEqualTo("COLD");
    for (int id : new int[] {-1, 3, 16, 28, 127}) {
      assertThat(policies.policy((byte) id)).as("%s", id).isNull();
    }
  }

  @Test
  void theNearestOneOnTheWayUpApplies() throws IOException {
    fs.file("/d/e/f");
    assertThat(policy("/d/e/f")).isEqualTo("HOT");
    set("/d", "cold");
    assertThat(policy("/d/e/f")).isEqualTo("COLD");
    assertThat(fs.info("/d/e").storagePolicyId()).isEqualTo(StoragePolicy.COLD.value());
    set("/d/e", "WARM");
    set("/d/e/f", "ONE_SSD");
    assertThat(policy("/d/e/f")).isEqualTo("ONE_SSD");
    set("/d/e/f", null);
    fs.crash();
    assertThat(policy("/d/e/f")).isEqualTo("WARM");
    fs.run(new Rename("/d/e/f", "/f"));
    assertThat(policy("/f")).isEqualTo("HOT");
  }

  @Test
  void listingsTellIt() throws IOException {
    fs.file("/d/f");
    fs.mkdir("/d/own");
    set("/d", "COLD");
    set("/d/own", "ALL_SSD");
    assertThat(fs.run(new GetListing("/d", new byte[0], false)).entries())
        .extracting(InodeStatus::storagePolicyId)
        .containsExactly(StoragePolicy.COLD.value(), StoragePolicy.ALL_SSD.value());
    assertThat(fs.run(new GetListing("/d/f", new byte[0], false)).entries())
        .extracting(InodeStatus::storagePolicyId)
        .containsExactly(StoragePolicy.COLD.value());
  }

  @Test
  void aFileMayBeCreatedWithOne() throws IOException {
    set("/", "WARM");
    fs.file("/f");
    set("/f", "COLD");
    InodeStatus replaced = create("/f", "", CreateFlag.OVERWRITE);
    assertThat(replaced.storagePolicyId()).isEqualTo(StoragePolicy.WARM.value());
    create("/g", "ALL_SSD");
    assertThat(policy("/g")).isEqualTo("ALL_SSD");
    create("/lazy", "", CreateFlag.LAZY_PERSIST);
    assertThat(policy("/lazy")).isEqualTo("LAZY_PERSIST");
    assertRefused(creation("/h", "NONE")).isInstanceOf(HadoopIllegalArgumentException.class);
    assertThat(fs.exists("/h")).isFalse();
  }

  private InodeStatus create(String path, String policy, CreateFlag... flags) throws IOException {
    return fs.run(creation(path, policy, flags));
  }

  private static CreateFile creation(String path, String policy, CreateFlag... flags) {
    EnumSet<CreateFlag> all = EnumSet.of(CreateFlag.CREATE, flags);
    return new CreateFile(
        path,
        new FsPermission((short) 0644),
        NamespaceFixture.CLIENT,
        all,
        true,
        new CreateFile.BlockOptions((short) 3, 1024, policy, ""));
  }

  @Test
  void lazyPersistIsForTheCreationOfFiles() throws IOException {
    fs.mkdir("/d");
    set("/d", "LAZY_PERSIST");
    fs.file("/d/f");
    set("/d", null);
    assertThat(policy("/d/f")).as("copied").isEqualTo("LAZY_PERSIST");
    assertRefused(new SetStoragePolicy("/d/f", "HOT"))
        .hasMessage("Existing policy LAZY_PERSIST cannot be changed after file creation.");
    fs.file("/f");
    assertRefused(new SetStoragePolicy("/f", "LAZY_PERSIST"))
        .hasMessageContaining("cannot be set after file creation.");
  }

  @Test
  void refuses() throws IOException {
    fs.mkdir("/d");
    assertRefused(new SetStoragePolicy("/d", "NONE"))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessage("Cannot find a block policy with the name NONE");
    assertRefused(new SetStoragePolicy("/none", "HOT")).isInstanceOf(FileNotFoundException.class);
    assertRefused(new GetStoragePolicy("/none")).isInstanceOf(FileNotFoundException.class);
    assertRefused(ALICE, new SetStoragePolicy("/d", "HOT"))
        .isInstanceOf(AccessControlException.class);
  }

  @Test
  void mayBeSwitchedOffOrBeKeptToSuperusers() throws IOException {
    use(with(FeatureSettings.DEFAULTS.withStoragePolicies(false, false)));
    assertRefused(new SetStoragePolicy("/", "HOT"))
        .hasMessage(
            "Failed to set storage policy since dfs.storage.policy.enabled is set to false.");
    use(with(FeatureSettings.DEFAULTS.withStoragePolicies(true, true)));
    fs.mkdir("/d");
    fs.run(new SetOwner("/d", "alice", null));
    assertRefused(ALICE, new SetStoragePolicy("/d", "HOT"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("Superuser privilege is required");
  }

  private static NamespaceFixture with(FeatureSettings features) {
    return new NamespaceFixture(
        new MemoryStore(), settings(4, 0).with(features), new ManualClock());
  }
}
