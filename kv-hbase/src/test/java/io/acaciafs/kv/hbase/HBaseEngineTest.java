package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.testkit.EngineRules;
import io.acaciafs.kv.testkit.SharedEngineRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("hbase")
@ExtendWith(TestHBase.class)
class HBaseEngineTest implements SharedEngineRules {
  private final Map<String, String> settings = new HashMap<>();

  HBaseEngineTest(LocalHBase hbase) {
    settings.put("acacia.store.hbase.zookeeper", hbase.zooKeeper());
    settings.put("acacia.store.hbase.regions", "2");
  }

  @Override
  public EngineProvider provider() {
    return new HBaseProvider();
  }

  @Override
  public EngineContext context(String name, String owner) {
    settings.put("acacia.store.hbase.table", "engine-" + name);
    return context(owner, settings);
  }

  private static EngineContext context(String owner, Map<String, String> settings) {
    return EngineRules.context(Path.of("/nowhere"), owner, Map.copyOf(settings));
  }

  @Test
  void saysWhichSettingIsMissing() {
    settings.remove("acacia.store.hbase.zookeeper");
    assertThatThrownBy(() -> engine("any"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "acacia.store.engine is hbase: set acacia.store.hbase.zookeeper to host:port of its"
                + " ZooKeeper");
    settings.put("acacia.store.hbase.zookeeper", "host");
    assertThatThrownBy(() -> engine("any")).hasMessageContaining("to host:port");
  }

  @Test
  void readsItsSettings() throws IOException {
    HBaseEngine engine =
        HBaseEngine.of(context("somebody", Map.of("acacia.store.hbase.zookeeper", "one,two:2181")));
    assertThat(engine.options())
        .isEqualTo(HBaseOptions.of("one,two:2181").withTable("acacia").withOwner("somebody"));
    assertThat(engine.place()).isEqualTo("table acacia of HBase at one,two:2181");
  }

  @Test
  void handsWhatTheSiteSaysOfKerberosToHBasesClient() throws IOException {
    settings.put("hbase.security.authentication", "kerberos");
    settings.put("hbase.master.kerberos.principal", "hbase/_HOST@EXAMPLE.COM");
    settings.put("hbase.unheard.of", "by the engine");
    settings.put("acacia.store.hbase.table", "acacia");
    HBaseEngine engine = HBaseEngine.of(context("somebody", settings));
    assertThat(engine.options().clientSettings())
        .containsOnly(
            Map.entry("hbase.security.authentication", "kerberos"),
            Map.entry("hbase.master.kerberos.principal", "hbase/_HOST@EXAMPLE.COM"));
    assertThatThrownBy(engine::requireProtection)
        .hasMessageContaining("set hbase.regionserver.kerberos.principal");
  }

  @Test
  void beginsWithTheConfiguredRegions() throws Exception {
    engine("regions").format(false);
    try (EngineStore store = engine("regions").open()) {
      assertThat(store.regions()).hasSize(2).allMatch(line -> line.matches("\\S* \\S+,\\d+,\\d+"));
    }
  }
}
