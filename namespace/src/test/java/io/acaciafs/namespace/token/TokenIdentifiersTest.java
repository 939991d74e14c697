package io.acaciafs.namespace.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;
import org.junit.jupiter.api.Test;

class TokenIdentifiersTest {
  private static final int LIMIT = 1 << 20;

  /** As a client may send it, with an owner of any length. */
  private static byte[] identifier(int ownerBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(0); // the version
    WritableUtils.writeVInt(out, ownerBytes);
    out.write("a".repeat(ownerBytes).getBytes());
    new Text("yarn").write(out);
    new Text().write(out);
    WritableUtils.writeVLong(out, 1);
    WritableUtils.writeVLong(out, 2);
    WritableUtils.writeVInt(out, 3);
    WritableUtils.writeVInt(out, 4);
    return bytes.toByteArray();
  }

  @Test
  void aNameIsShorterThanAMebibyte() throws IOException {
    DelegationTokenIdentifier longest = TokenIdentifiers.read(identifier(LIMIT - 1));
    assertThat(longest.getOwner().getLength()).isEqualTo(LIMIT - 1);
    assertThat(longest.getMasterKeyId()).isEqualTo(4);
    assertThatThrownBy(() -> TokenIdentifiers.read(identifier(LIMIT)))
        .isInstanceOf(IOException.class)
        .hasMessage("tried to deserialize 1048576 bytes of data, but maxLength = 1048576");
  }
}
