package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatanodeRowsTest {
  private static final String UUID = "uuid";
  private static final List<DatanodeStorage> STORAGES =
      List.of(new DatanodeStorage("DS-1"), new DatanodeStorage("DS-2"));

  private final MemoryStore store = new MemoryStore();
  private final AtomicInteger indexes = new AtomicInteger();

  @BeforeEach
  void register() {
    Transaction tx = store.begin();
    DatanodeID id = new DatanodeID("10.0.0.1", "host", UUID, 1, 2, 3, 4);
    DatanodeRows.register(tx, id, "3.5.0", "/rack");
    tx.commit().join();
  }

  private Transaction describing() {
    Transaction tx = store.begin();
    assertThat(DatanodeRows.describe(tx, UUID, STORAGES, indexes::incrementAndGet)).hasSize(2);
    return tx;
  }

  private Transaction removing() {
    Transaction tx = store.begin();
    assertThat(DatanodeRows.removeWithoutStorages(tx, UUID)).isTrue();
    return tx;
  }

  @Test
  void aDataNodeWhoseStoragesComeMeanwhileIsNotRemoved() {
    Transaction removing = removing();
    describing().commit().join();
    assertThatThrownBy(() -> removing.commit().join()).hasCauseInstanceOf(ConflictException.class);
    Transaction again = store.begin();
    assertThat(DatanodeRows.removeWithoutStorages(again, UUID)).isFalse();
    assertThat(again.hasWrites()).isFalse();
  }

  @Test
  void noStorageComesToADataNodeThatIsRemovedMeanwhile() {
    Transaction describing = describing();
    removing().commit().join();
    assertThat(describing.commit()).isCompletedExceptionally();
    assertThat(store.get(BlockKeys.storage(UUID, "DS-1"))).isNull();
    assertThat(DatanodeRows.describe(store.begin(), UUID, STORAGES, indexes::incrementAndGet))
        .isNull();
  }

  @Test
  void storagesThatAreTheSameWriteNothing() {
    describing().commit().join();
    Transaction again = describing();
    assertThat(again.hasWrites()).isFalse();
    assertThat(indexes).hasValue(2);
  }

  @Test
  void storagesOfSeveralDataNodesDoNotWaitForEachOther() {
    Transaction tx = store.begin();
    DatanodeRows.register(tx, new DatanodeID("10.0.0.2", "host", "other", 1, 2, 3, 4), "3", "/r");
    tx.commit().join();
    Transaction one = describing();
    Transaction other = store.begin();
    DatanodeRows.describe(other, "other", STORAGES, indexes::incrementAndGet);
    one.commit().join();
    other.commit().join();
    assertThat(store.get(BlockKeys.storage("other", "DS-2"))).isNotNull();
  }
}
