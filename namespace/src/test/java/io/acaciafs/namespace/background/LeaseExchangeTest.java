package io.acaciafs.namespace.background;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.Faults;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients renew their leases with one NameNode, and another one judges them. */
class LeaseExchangeTest {
  private static final long HARD_LIMIT_MS = 20 * 60 * 1000;

  private final NamespaceFixture fs =
      new NamespaceFixture(
          NamespaceFixture.sharedStore(Faults.none()),
          NamespaceFixture.settings(4, 0),
          new ManualClock(),
          2);
  private final LeaseExchange first = new LeaseExchange(fs.namespace(0), "1");
  private final LeaseExchange second = new LeaseExchange(fs.namespace(1), "2");

  @AfterEach
  void close() {
    fs.close();
  }

  private void pass(long millis, LeaseExchange... alive) throws Exception {
    for (long passed = 0; passed < millis; passed += Leases.EXCHANGE_INTERVAL_MS) {
      fs.clock.advanceMs(Leases.EXCHANGE_INTERVAL_MS);
      for (LeaseExchange exchange : alive) {
        exchange.exchange();
      }
    }
  }

  private void createAtTheFirst() throws IOException {
    fs.run(0, SUPERUSER, NamespaceFixture.create("/f", 0644, CLIENT, CreateFlag.CREATE));
  }

  private void takeOverAtTheSecond() throws IOException {
    fs.run(
        1,
        SUPERUSER,
        NamespaceFixture.create("/f", 0644, "other", CreateFlag.CREATE, CreateFlag.OVERWRITE));
  }

  private void assertIsHeld() {
    assertThatThrownBy(
            () ->
                fs.run(
                    1,
                    SUPERUSER,
                    new io.acaciafs.namespace.op.file.AppendFile("/f", "other", false)))
        .isInstanceOf(AlreadyBeingCreatedException.class);
  }

  @Test
  void whoRenewsWithTheOneIsAliveToTheOther() throws Exception {
    pass(60_000, first, second);
    createAtTheFirst();
    for (int i = 0; i < 20; i++) {
      pass(30_000, first, second);
      fs.namespace(0).leases().renew(CLIENT);
      assertIsHeld();
    }
    pass(Leases.SOFT_LIMIT_MS, first, second);
    pass(3 * Leases.EXCHANGE_INTERVAL_MS, first, second);
    takeOverAtTheSecond();
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo("other");
  }

  @Test
  void whoNobodyHasHeardOfIsNotSilent() throws Exception {
    pass(60_000, second);
    createAtTheFirst(); // which does not tell
    pass(10 * Leases.SOFT_LIMIT_MS, second);
    assertIsHeld();
    pass(Leases.SOFT_LIMIT_MS, second);
    pass(Leases.EXCHANGE_INTERVAL_MS, second);
    takeOverAtTheSecond();
  }

  @Test
  void nobodyIsSilentWhileOnesEarsAreShut() throws Exception {
    pass(60_000, first, second);
    createAtTheFirst();
    pass(10_000, first, second);
    for (int i = 0; i < 4; i++) {
      pass(30_000);
      fs.namespace(0).leases().renew(CLIENT);
      assertIsHeld();
    }
    first.exchange();
    second.exchange();
    assertIsHeld();
    pass(30_000, first, second);
    assertIsHeld();
  }

  @Test
  void filesOfOneThatDiedAreClosedByTheOther() throws Exception {
    pass(60_000, first, second);
    createAtTheFirst();
    pass(HARD_LIMIT_MS / 2, second);
    BackgroundWork.checkLeases(fs.namespace(1));
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    pass(HARD_LIMIT_MS + 60_000, second);
    BackgroundWork.checkLeases(fs.namespace(1));
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
  }

  @Test
  void rowsOfThoseWhoAreLongGoneDisappear() throws Exception {
    long id = fs.open("/f");
    first.exchange();
    assertThat(fs.rows(NamespaceKeys.RENEWALS)).isEqualTo(1);
    fs.run(new CompleteFile("/f", id, CLIENT, null));
    pass(7_300_000, first);
    assertThat(fs.rows(NamespaceKeys.RENEWALS)).isZero();
  }

  @Test
  void whereThereAreManyRowsThoseOfClientsWithoutFilesDisappear() throws Exception {
    fs.open("/f");
    for (int i = 0; i < 11_000; i++) {
      fs.namespace(0).leases().renew("closed-" + i);
    }
    first.exchange();
    assertThat(fs.rows(NamespaceKeys.RENEWALS)).isEqualTo(11_001);
    pass(2 * Leases.EXCHANGE_INTERVAL_MS, first, second);
    assertThat(fs.rows(NamespaceKeys.RENEWALS)).isEqualTo(1);
  }
}
