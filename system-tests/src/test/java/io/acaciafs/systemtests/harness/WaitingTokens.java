package io.acaciafs.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SaslRpcClient;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * A program that has many clients show a token to a NameNode whose store does not answer, and
 * prints how long calls of a user with a ticket take meanwhile that need no store. Its arguments
 * are the port on localhost, the file of the token, and the count of clients.
 */
public final class WaitingTokens {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CALLS = 3;

  private WaitingTokens() {}

  /** The user's principal and keytab are in the environment, as for Hadoop's programs. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 0);
    UserGroupInformation.setConfiguration(conf);
    InetSocketAddress nameNode = new InetSocketAddress("localhost", Integer.parseInt(arguments[0]));
    Token<?> token =
        Credentials.readTokenStorageFile(new File(arguments[1]), conf)
            .getAllTokens()
            .iterator()
            .next();
    SecurityUtil.setTokenService(token, nameNode);
    int count = Integer.parseInt(arguments[2]);
    for (int i = 0; i < count; i++) {
      UserGroupInformation holder = UserGroupInformation.createRemoteUser("holder");
      holder.addToken(token);
      Thread client = new Thread(() -> askAgainAndAgain(holder, nameNode, conf), "client-" + i);
      client.setDaemon(true);
      client.start();
    }
    Await.until("clients that wait", LIMIT, () -> waiting() == count);
    for (int i = 0; i < CALLS; i++) {
      long beginNs = System.nanoTime();
      ask( // with a connection of its own
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              System.getenv("KRB5PRINCIPAL"), System.getenv("KRB5KEYTAB")),
          nameNode,
          conf);
      long ms = Duration.ofNanos(System.nanoTime() - beginNs).toMillis();
      System.out.println("answered in " + ms + " ms while " + waiting() + " wait");
    }
  }

  private static void askAgainAndAgain(
      UserGroupInformation holder, InetSocketAddress nameNode, Configuration conf) {
    while (true) {
      try {
        ask(holder, nameNode, conf);
        System.out.println("let in");
        return;
      } catch (IOException e) {
        // the store still does not answer
      }
    }
  }

  /** Of what the NameNode has in memory. */
  private static void ask(UserGroupInformation user, InetSocketAddress nameNode, Configuration conf)
      throws IOException {
    ClientProtocol protocol =
        NameNodeProxies.createNonHAProxy(conf, nameNode, ClientProtocol.class, user, false)
            .getProxy();
    try {
      protocol.setSafeMode(SafeModeAction.SAFEMODE_GET, false);
    } finally {
      RPC.stopProxy(protocol);
    }
  }

  /** Clients that have shown what they have, or are about to, and have not been let in. */
  private static long waiting() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("client-"))
        .filter(
            each ->
                Arrays.stream(each.getValue())
                    .anyMatch(frame -> frame.getClassName().equals(SaslRpcClient.class.getName())))
        .count();
  }
}
