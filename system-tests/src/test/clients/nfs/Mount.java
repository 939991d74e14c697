import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.nfs.conf.NfsConfiguration;
import org.apache.hadoop.hdfs.nfs.nfs3.Nfs3;
import org.apache.hadoop.nfs.nfs3.FileHandle;
import org.apache.hadoop.nfs.nfs3.request.LOOKUP3Request;
import org.apache.hadoop.nfs.nfs3.request.READ3Request;
import org.apache.hadoop.nfs.nfs3.response.READ3Response;
import org.apache.hadoop.oncrpc.RpcCall;
import org.apache.hadoop.oncrpc.RpcReply;
import org.apache.hadoop.oncrpc.XDR;
import org.apache.hadoop.oncrpc.security.CredentialsSys;
import org.apache.hadoop.oncrpc.security.VerifierNone;

/**
 * Starts Hadoop's NFS gateway without a portmapper, and does what an NFS client does that mounts
 * the root and reads a file of it: with Hadoop's own messages, over TCP.
 *
 * <p>Arguments: the ports of mountd and of NFS, the name of the file. Prints what is exported and
 * what the file holds.
 */
public final class Mount {
  private static final int MOUNT_PROGRAM = 100005;
  private static final int NFS_PROGRAM = 100003;
  private static final int VERSION = 3;
  private static final int MOUNT = 1;
  private static final int EXPORT = 5;
  private static final int LOOKUP = 3;
  private static final int READ = 6;

  private static int lastCall;

  public static void main(String[] args) throws Exception {
    NfsConfiguration conf = new NfsConfiguration();
    int mountPort = Integer.parseInt(args[0]);
    int nfsPort = Integer.parseInt(args[1]);
    conf.setInt("nfs3.mountd.port", mountPort);
    conf.setInt("nfs3.server.port", nfsPort);
    new Nfs3(conf).startServiceInternal(false);

    XDR exports = call(mountPort, MOUNT_PROGRAM, EXPORT, new XDR());
    require(exports.readBoolean(), "an export");
    System.out.println("exports " + exports.readString());

    XDR path = new XDR();
    path.writeString("/");
    XDR mounted = call(mountPort, MOUNT_PROGRAM, MOUNT, path);
    require(mounted.readInt() == 0, "to mount");
    FileHandle root = new FileHandle();
    require(root.deserialize(mounted), "a handle");

    XDR name = new XDR();
    new LOOKUP3Request(root, args[2]).serialize(name);
    XDR found = call(nfsPort, NFS_PROGRAM, LOOKUP, name);
    require(found.readInt() == 0, "to find the file");
    FileHandle file = new FileHandle();
    require(file.deserialize(found), "the handle of the file");

    XDR place = new XDR();
    new READ3Request(file, 0, 1000).serialize(place);
    READ3Response read = READ3Response.deserialize(call(nfsPort, NFS_PROGRAM, READ, place));
    require(read.getStatus() == 0, "to read: " + read.getStatus());
    System.out.println("reads " + StandardCharsets.UTF_8.decode(read.getData()));
    System.exit(0);
  }

  /** One call on a connection of its own. */
  private static XDR call(int port, int program, int procedure, XDR arguments) throws Exception {
    XDR request = new XDR();
    CredentialsSys root = new CredentialsSys();
    root.setUID(0);
    root.setGID(0);
    root.setStamp(1);
    RpcCall.getInstance(++lastCall, program, VERSION, procedure, root, new VerifierNone())
        .write(request);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      byte[] head = request.getBytes();
      byte[] body = arguments.getBytes();
      XDR whole = new XDR();
      whole.writeFixedOpaque(head);
      whole.writeFixedOpaque(body);
      java.nio.ByteBuffer frame = XDR.writeMessageTcp(whole, true).nioBuffer();
      byte[] bytes = new byte[frame.remaining()];
      frame.get(bytes);
      socket.getOutputStream().write(bytes);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = new byte[in.readInt() & 0x7fffffff];
      in.readFully(answer);
      XDR reply = new XDR(answer);
      require(RpcReply.read(reply).getState() == RpcReply.ReplyState.MSG_ACCEPTED, "an answer");
      return reply;
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      System.out.println("failed: wanted " + what);
      System.exit(1);
    }
  }
}
