package io.acaciafs.namespace.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.policy.SetErasureCodingPolicy;
import io.acaciafs.namespace.op.policy.UnsetErasureCodingPolicy;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.NoECPolicySetException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ErasureCodingPolicyTest {
  private final NamespaceFixture fixture = new NamespaceFixture();

  @BeforeEach
  void makeDirectory() throws IOException {
    fixture.mkdir("/a");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void replicationIsSetOverAgainAndUnsetOnce() throws IOException {
    fixture.run(new SetErasureCodingPolicy("/a", "replication"));
    fixture.crash();
    fixture.run(new SetErasureCodingPolicy("/a", "REPLICATION"));
    fixture.run(new UnsetErasureCodingPolicy("/a"));
    assertThatThrownBy(() -> fixture.run(new UnsetErasureCodingPolicy("/a")))
        .isInstanceOf(NoECPolicySetException.class)
        .hasMessage("No erasure coding policy explicitly set on /a");
  }

  @Test
  void isNoAttributeThatAnybodySees() throws IOException {
    XAttr other = XAttrHelper.buildXAttr("user.one", new byte[] {1});
    fixture.run(new SetXAttr("/a", other, EnumSet.of(XAttrSetFlag.CREATE)));
    fixture.run(new SetErasureCodingPolicy("/a", "replication"));
    assertThat(fixture.run(new ListXAttrs("/a"))).containsExactly(other);
    fixture.run(new UnsetErasureCodingPolicy("/a"));
    assertThat(fixture.run(new ListXAttrs("/a"))).containsExactly(other);
  }

  @Test
  void othersAreRefused() {
    assertThatThrownBy(() -> fixture.run(new SetErasureCodingPolicy("/a", "RS-6-3-1024k")))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("Acacia does not support the erasure coding policy RS-6-3-1024k yet");
    assertThatThrownBy(() -> fixture.run(new SetErasureCodingPolicy("/a", "none")))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageStartingWith("Policy 'none' does not match any enabled");
  }

  @Test
  void isOfDirectoriesAlone() throws IOException {
    fixture.file("/f");
    assertThatThrownBy(() -> fixture.run(new SetErasureCodingPolicy("/f", "replication")))
        .hasMessage("Attempt to set an erasure coding policy for a file /f");
    assertThatThrownBy(() -> fixture.run(new UnsetErasureCodingPolicy("/f")))
        .hasMessage("Cannot unset an erasure coding policy on a file /f");
    assertThatThrownBy(() -> fixture.run(new SetErasureCodingPolicy("/none", "replication")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Path not found: /none");
  }

  @Test
  void wantsWriteAccess() {
    assertThatThrownBy(
            () ->
                fixture.run(
                    NamespaceFixture.ALICE, new SetErasureCodingPolicy("/a", "replication")))
        .isInstanceOf(AccessControlException.class);
    assertThatThrownBy(
            () -> fixture.run(NamespaceFixture.ALICE, new UnsetErasureCodingPolicy("/a")))
        .isInstanceOf(AccessControlException.class);
  }
}
