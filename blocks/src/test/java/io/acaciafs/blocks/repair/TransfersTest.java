package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class TransfersTest extends RepairTestBase {
  private static final Method GET = Methods.named(Reader.class, "get");

  private boolean areBlocksUnreadable;

  /** Its rows of blocks cannot always be read. */
  @Override
  protected Store storeOfManager() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (areBlocksUnreadable
                  && method.equals(GET)
                  && ((Key) arguments[0]).table() == BlockKeys.BLOCKS) {
                throw new StoreException("the region is between two servers");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void copiesOfAHeartbeatThatFailedAreAskedForByTheNextOne() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    FakeDatanode source = nodes.get(0);
    Block first = write(1, source);
    Block second = write(2, source);
    setReplication(first, 2);
    setReplication(second, 2);
    manager.repairNow();
    areBlocksUnreadable = true;
    assertThatThrownBy(() -> source.heartbeat(false)).hasMessageContaining("between two servers");
    areBlocksUnreadable = false;

    assertThat(source.toCopy())
        .extracting(FakeDatanode.Copy::block)
        .containsExactlyInAnyOrder(first, second);
    assertThat(source.toCopy()).isEmpty();
  }
}
