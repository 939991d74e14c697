package io.acaciafs.kv.hbase.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.HBaseServices;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.BitSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The receipt of a request tells which of its transactions were applied. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class ReceiptsTest {
  private static final Table TABLE = new Table("entries", 1);
  private static final int NUMBER = 7;

  private final HBaseOptions options;
  private final RandomGenerator random = new SplittableRandom(1);
  private HBaseStore store;
  private HBaseServices services;
  private FencingTokens.Token token;

  ReceiptsTest(LocalHBase hbase) {
    options =
        HBaseOptions.of(hbase.zooKeeper())
            .withTable("receipts")
            .withCoprocessor(HBaseOptions.COPROCESSOR_ON_CLASS_PATH);
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 1);
    AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS);
    services = new HBaseServices(options, connection);
    services.membership().bind(Stores.bind(store));
    token = services.tokens().make(region()).get(60, TimeUnit.SECONDS).token();
  }

  @AfterEach
  void close() {
    services.close();
    store.close();
  }

  @Test
  void aLostReplyIsFoundOutForEachTransaction() throws Exception {
    RegionRequest request = new RegionRequest(random);
    for (int row : new int[] {1, 1, 2}) { // the second finds the row of the first
      RegionRequest transaction = RegionRequest.forCoprocessor(random);
      transaction.requireAbsent(RowKeys.of(key(row)));
      transaction.putCell(RowKeys.of(key(row)), new RowCell.Value(5, new byte[] {9}).encode());
      request.addTransaction(transaction);
    }
    BitSet second = new BitSet();
    second.set(1);
    assertThat(send(request)).isEqualTo(new Outcome.Applied(second));

    FencingTokens.Lost lost = services.tokens().new Lost(token, NUMBER, null);
    MemberCheck check = services.memberCheck();
    assertThat(check.wasApplied(lost.ofTransaction(0))).isTrue();
    assertThat(check.wasApplied(lost.ofTransaction(1))).isFalse();
    assertThat(check.wasApplied(lost.ofTransaction(2))).isTrue();
    assertThat(check.wasApplied(lost)).isTrue();
    assertThat(store.get(key(2))).containsExactly(9);
  }

  @Test
  void nothingOfARequestWithoutATokenIsApplied() throws Exception {
    FencingTokens.Lost lost = services.tokens().new Lost(token, NUMBER, null);
    assertThat(services.memberCheck().wasApplied(lost)).isFalse();
    RegionRequest transaction = RegionRequest.forCoprocessor(random);
    transaction.putCell(RowKeys.of(key(3)), new RowCell.Value(5, new byte[] {9}).encode());
    RegionRequest late = new RegionRequest(random);
    late.addTransaction(transaction);
    assertThat(send(late)).isEqualTo(Outcome.REFUSED);
    assertThat(store.get(key(3))).isNull();
  }

  private Outcome send(RegionRequest request) throws Exception {
    return services.tokens().send(region(), request, token, NUMBER).get(60, TimeUnit.SECONDS);
  }

  private HRegionLocation region() {
    return services.table().locateNow(RowKeys.of(key(1)));
  }

  private static Key key(int number) {
    return new Key(TABLE, new byte[] {(byte) number});
  }
}
