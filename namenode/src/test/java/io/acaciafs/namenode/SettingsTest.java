package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Store;
import io.acaciafs.namespace.settings.NamespaceSettings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private final HdfsConfiguration conf = new HdfsConfiguration();

  @Test
  void defaultsAreThoseOfTheNamespace() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();

    assertThat(Settings.namespace(conf)).isEqualTo(NamespaceSettings.defaults(user));
  }

  @Test
  void directoriesHaveALimitOnlyWhenOneIsSet() throws IOException {
    assertThat(Settings.namespace(conf).maxDirectoryItems()).isZero();

    conf.setInt("dfs.namenode.fs-limits.max-directory-items", 1048576);
    assertThat(Settings.namespace(conf).maxDirectoryItems()).isEqualTo(1048576);
  }

  @Test
  void symlinksAreOffUnlessSwitchedOn() {
    assertThat(Settings.symlinksEnabled(conf)).isFalse();

    conf.setBoolean("acacia.symlinks.enabled", true);
    assertThat(Settings.symlinksEnabled(conf)).isTrue();
  }

  @Test
  void answersAreKeptAsLongAsIsAskedFor() throws IOException {
    conf.setLong("dfs.namenode.retrycache.expirytime.millis", 5000);
    assertThat(Settings.namespace(conf).retryExpiryMs()).isEqualTo(5000);
  }

  @Test
  void directoriesGrowByBucketsWherePartitionsSpread() throws IOException {
    Store.Traits oneProcess = new Store.Traits(true, false);
    assertThat(Settings.directories(conf, oneProcess).splitThreshold()).isZero();
    assertThat(Settings.directories(conf, new Store.Traits(false, true)).splitThreshold())
        .isEqualTo(20_000);

    conf.set("acacia.directory.split.threshold", "7");
    assertThat(Settings.directories(conf, oneProcess).splitThreshold()).isEqualTo(7);
    conf.set("acacia.directory.split.threshold", "-1");
    assertThatThrownBy(() -> Settings.directories(conf, oneProcess))
        .hasMessageContaining("acacia.directory.split.threshold is a number of entries");
  }

  @Test
  void eachNameNodeFindsItsOwnSettingsAmongThoseOfAll() {
    assertThat(Settings.ofThisNameNode(conf)).isSameAs(conf);

    conf.set("fs.defaultFS", "hdfs://many");
    conf.set("dfs.nameservices", "many");
    conf.set("dfs.ha.namenodes.many", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.many.nn1", "127.0.0.1:8021");
    conf.set("dfs.namenode.rpc-address.many.nn2", "127.0.0.1:8022");
    conf.set("dfs.namenode.name.dir.many.nn2", "/two");
    conf.set("dfs.ha.namenode.id", "nn2");
    Configuration own = Settings.ofThisNameNode(conf);
    assertThat(Settings.rpc(own, new Store.Traits(false, true)).listen().address().getPort())
        .isEqualTo(8022);
    assertThat(own.get("dfs.namenode.name.dir")).isEqualTo("/two");
  }

  @Test
  void listensOnTheBindHostIfThereIsOne() {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(Settings.rpc(conf, new Store.Traits(true, false)).listen().address().getHostString())
        .isEqualTo("127.0.0.1");

    conf.set("dfs.namenode.rpc-bind-host", "0.0.0.0");
    assertThat(Settings.rpc(conf, new Store.Traits(true, false)).listen().address().getHostString())
        .isEqualTo("0.0.0.0");
    assertThat(Settings.rpc(conf, new Store.Traits(true, false)).listen().address().getPort())
        .isEqualTo(8020);
  }
}
