package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.StoreHealth;
import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HealthCheckFailedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderHealthTest {
  @TempDir private File folder;
  private @Nullable StoreException writeFailure;
  private boolean reads = true;
  private long reservedBytes;
  private boolean isUnhealthyByMode;

  private Object ofStore(String method) {
    return switch (method) {
      case "writeFailure" -> writeFailure;
      case "get" -> {
        if (!reads) {
          throw new StoreException("broken file");
        }
        yield new byte[0];
      }
      default -> throw new AssertionError(method);
    };
  }

  private LeaderHealth health() {
    Store store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> ofStore(method.getName()));
    Configuration conf = new Configuration(false);
    conf.setLong("dfs.namenode.resource.du.reserved", reservedBytes);
    return new LeaderHealth(
        new StoreHealth(store),
        DiskSpace.of(conf, List.of(Path.of(folder.getPath()))),
        () -> isUnhealthyByMode);
  }

  private void assertIll(String sentence) {
    assertThatThrownBy(() -> health().check())
        .isInstanceOf(HealthCheckFailedException.class)
        .hasMessage(sentence);
  }

  @Test
  void itIsWellWhileItsStoreWorksAndThereIsRoom() {
    assertThatCode(() -> health().check()).doesNotThrowAnyException();
    assertThat(health().obstacle()).isNull();
  }

  @Test
  void aStoreThatTakesNoMoreWritesIsAnIllness() {
    writeFailure = new StoreException("No space left on device");
    assertIll("The store of the NameNode has failed: No space left on device");
  }

  @Test
  void aStoreThatCannotBeReadIsAnIllness() {
    reads = false;
    assertIll("The store of the NameNode cannot be read, see the NameNode's log");
  }

  @Test
  void aDiskWithTooLittleRoomIsOneInHdfssWords() {
    reservedBytes = Long.MAX_VALUE;
    assertIll("The NameNode has no resources available");
  }

  @Test
  void safeModeIsOneWhereTheSiteSaysSo() {
    isUnhealthyByMode = true;
    assertIll("The NameNode is configured to report UNHEALTHY to ZKFC in Safemode.");
  }
}
