package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class TransfersTest extends RepairTestBase {
  private static final Method GET = Methods.named(Reader.class, "get");
  private static final Set<Method> SCANS = Methods.allNamed(Reader.class, "scan");

  private boolean areBlocksUnreadable;
  private boolean areDeletionsUnreadable;

  /** Its rows of blocks and of deletions cannot always be read. */
  @Override
  protected Store storeOfManager() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              boolean isOfBlocks =
                  method.equals(GET) && ((Key) arguments[0]).table() == BlockKeys.BLOCKS;
              boolean isOfDeletions =
                  SCANS.contains(method)
                      && ((KeyRange) arguments[0]).table() == BlockKeys.INVALIDATIONS;
              if (areBlocksUnreadable && isOfBlocks || areDeletionsUnreadable && isOfDeletions) {
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
    assertThat(source.heartbeat(false).getCommands()).isEmpty();
    areBlocksUnreadable = false;

    assertThat(source.toCopy())
        .extracting(FakeDatanode.Copy::block)
        .containsExactlyInAnyOrder(first, second);
    assertThat(source.toCopy()).isEmpty();
  }

  @Test
  void copiesGoOutThoughDeletionsCannotBeRead() throws Exception {
    FakeDatanode source = nodes(2).get(0);
    Block copied = write(1, source);
    Block removed = write(2, source);
    setReplication(copied, 2);
    remove(removed);
    manager.repairNow();
    areDeletionsUnreadable = true;
    assertThat(source.toCopy()).extracting(FakeDatanode.Copy::block).containsExactly(copied);
    areDeletionsUnreadable = false;

    assertThat(source.toDelete()).containsExactly(removed);
  }
}
