package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Store;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.StoragePolicyAccess;
import java.io.IOException;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

class NamespaceConfigTest {
  private final HdfsConfiguration conf = new HdfsConfiguration();

  @Test
  void defaultsAreThoseOfTheNamespace() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();

    assertThat(NamespaceConfig.namespace(conf)).isEqualTo(NamespaceSettings.defaults(user));
  }

  @Test
  void directoriesHaveALimitOnlyWhenOneIsSet() throws IOException {
    assertThat(NamespaceConfig.namespace(conf).limits().maxDirectoryItems()).isZero();

    conf.setInt("dfs.namenode.fs-limits.max-directory-items", 1048576);
    assertThat(NamespaceConfig.namespace(conf).limits().maxDirectoryItems()).isEqualTo(1048576);
  }

  @Test
  void theSiteSaysWhoMayDoEverythingAndWhoSetsStoragePolicies() throws IOException {
    conf.set("dfs.permissions.superusergroup", "admins");
    conf.setBoolean("dfs.storage.policy.permissions.superuser-only", true);
    NamespaceSettings settings = NamespaceConfig.namespace(conf);
    assertThat(settings.permissions().superGroup()).isEqualTo("admins");
    assertThat(settings.features().storagePolicyAccess())
        .isEqualTo(new StoragePolicyAccess(true, true));
  }

  @Test
  void symlinksAreOffUnlessSwitchedOn() {
    assertThat(NamespaceConfig.symlinksEnabled(conf)).isFalse();

    conf.setBoolean("acacia.symlinks.enabled", true);
    assertThat(NamespaceConfig.symlinksEnabled(conf)).isTrue();
  }

  @Test
  void answersAreKeptAsLongAsIsAskedFor() throws IOException {
    conf.setLong("dfs.namenode.retrycache.expirytime.millis", 5000);
    assertThat(NamespaceConfig.namespace(conf).retryExpiryMs()).isEqualTo(5000);
  }

  @Test
  void directoriesGrowByBucketsWherePartitionsSpread() throws IOException {
    Store.Traits oneProcess = new Store.Traits(true, false);
    assertThat(NamespaceConfig.directories(conf, oneProcess).splitThreshold()).isZero();
    assertThat(NamespaceConfig.directories(conf, new Store.Traits(false, true)).splitThreshold())
        .isEqualTo(20_000);

    conf.set("acacia.directory.split.threshold", "7");
    assertThat(NamespaceConfig.directories(conf, oneProcess).splitThreshold()).isEqualTo(7);
    conf.set("acacia.directory.split.threshold", "-1");
    assertThatThrownBy(() -> NamespaceConfig.directories(conf, oneProcess))
        .hasMessage(
            "acacia.directory.split.threshold is -1; it must be a number of entries, at least 0");
  }
}
