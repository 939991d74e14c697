package io.acaciafs.systemtests.malformed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.io.EnumSetWritable;

/**
 * A call that Hadoop's client would not let through.
 *
 * @param name says what is wrong
 * @param call sends it, past the client's own checks
 */
record BadArgument(String name, Call call) {

  /** A call on the protocol itself. */
  @FunctionalInterface
  interface Call {
    Object on(ClientProtocol nameNode) throws IOException;
  }

  private static final FsPermission PERMISSION = new FsPermission((short) 0755);
  private static final long BLOCK_BYTES = 1 << 20;

  /** All of them. */
  static List<BadArgument> all() {
    List<BadArgument> all = new ArrayList<>();
    paths("with ..", "/some/../x", all);
    paths("with .", "/some/./x", all);
    paths("with //", "/some//x", all);
    paths("with a colon", "/some/a:b", all);
    paths("without a slash", "some/x", all);
    paths("that is empty", "", all);
    paths("with a name of 300 bytes", "/some/" + "n".repeat(300), all);
    paths("of 8,001 characters", "/some" + ("/" + "n".repeat(240)).repeat(33) + "/nn", all);
    paths("of 9,000 characters", ("/" + "n".repeat(99)).repeat(90), all);
    paths("of 1,001 levels", "/d".repeat(1001), all);
    for (short replication : new short[] {-1, 0, 513, Short.MAX_VALUE}) {
      all.add(
          new BadArgument(
              "create with replication " + replication,
              nameNode -> create(nameNode, "/some/file", replication, BLOCK_BYTES)));
    }
    for (long blockBytes : new long[] {-1, 0, 1, Long.MIN_VALUE}) {
      all.add(
          new BadArgument(
              "create with blocks of " + blockBytes + " bytes",
              nameNode -> create(nameNode, "/some/file", (short) 1, blockBytes)));
    }
    all.add(
        new BadArgument(
            "set replication -1", nameNode -> nameNode.setReplication("/some/good", (short) -1)));
    return all;
  }

  private static void paths(String what, String path, List<BadArgument> all) {
    all.add(new BadArgument("mkdirs " + what, n -> n.mkdirs(path, PERMISSION, true)));
    all.add(new BadArgument("create " + what, n -> create(n, path, (short) 1, BLOCK_BYTES)));
    all.add(new BadArgument("getFileInfo " + what, n -> n.getFileInfo(path)));
    all.add(new BadArgument("getListing " + what, n -> n.getListing(path, new byte[0], false)));
    all.add(new BadArgument("getBlockLocations " + what, n -> n.getBlockLocations(path, 0, 1)));
    all.add(new BadArgument("delete " + what, n -> n.delete(path, true)));
    all.add(new BadArgument("setPermission " + what, n -> setPermission(n, path)));
    all.add(new BadArgument("rename from a path " + what, n -> rename(n, path, "/some/y")));
    all.add(new BadArgument("rename to a path " + what, n -> rename(n, "/some/good", path)));
  }

  private static Object create(ClientProtocol n, String path, short replication, long blockBytes)
      throws IOException {
    return n.create(
        path,
        PERMISSION,
        "bad-client",
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
        true,
        replication,
        blockBytes,
        CryptoProtocolVersion.supported(),
        null,
        null);
  }

  private static Object setPermission(ClientProtocol n, String path) throws IOException {
    n.setPermission(path, PERMISSION);
    return "done";
  }

  /** With the options: the older call answers false where this one says why. */
  private static Object rename(ClientProtocol n, String source, String target) throws IOException {
    n.rename2(source, target);
    return "done";
  }

  @Override
  public String toString() {
    return name;
  }
}
