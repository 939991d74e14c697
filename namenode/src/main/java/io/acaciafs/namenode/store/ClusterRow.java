package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.members.MemberTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's identity, in a store that several NameNodes share: what the VERSION file of each
 * says, for one that is to join. See docs/format.md.
 */
final class ClusterRow {
  private static final Key KEY = new Key(MemberTable.table(), new byte[] {2});
  private static final byte FORMAT = 1;

  private ClusterRow() {}

  /** Null where it is not written. */
  static @Nullable ClusterIdentity read(Reader store) throws IOException {
    byte[] row = store.get(KEY);
    if (row == null) {
      return null;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(row))) {
      if (in.readByte() != FORMAT) {
        throw new IOException("The store was written by a newer version of Acacia: run that one");
      }
      return new ClusterIdentity(in.readInt(), in.readUTF(), in.readUTF(), in.readLong());
    }
  }

  /** Does nothing where it stands there. */
  static void write(Store store, ClusterIdentity identity) throws IOException {
    if (identity.equals(read(store))) {
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeInt(identity.namespaceId());
      out.writeUTF(identity.clusterId());
      out.writeUTF(identity.blockPoolId());
      out.writeLong(identity.cTimeMs());
    }
    DurableRow.put(
        store, KEY, bytes.toByteArray(), "Who the cluster is could not be written to the store");
  }
}
