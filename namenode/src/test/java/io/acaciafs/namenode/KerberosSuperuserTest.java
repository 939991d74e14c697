package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeLifelineProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ReconfigurationProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.RefreshCallQueueProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.protocolPB.RefreshAuthorizationPolicyProtocolPB;
import org.apache.hadoop.security.protocolPB.RefreshUserMappingsProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.TextFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user with a ticket asks for all that only the superuser, administrators or DataNodes may ask
 * for, past the checks of Hadoop's clients.
 */
@Timeout(300)
class KerberosSuperuserTest {
  /** What the audit log names beside the operation. */
  private static final Map<String, String> AT =
      Map.ofEntries(
          Map.entry("listOpenFiles", "/x"),
          Map.entry("listCorruptFileBlocks", "/x"),
          Map.entry("allowSnapshot", "/x"),
          Map.entry("disallowSnapshot", "/x"),
          Map.entry("addCachePool", "/x"),
          Map.entry("modifyCachePool", "\\{poolName: /x\\}"),
          Map.entry("removeCachePool", "\\{poolName: /x\\}"),
          Map.entry("createEncryptionZone", "/x"),
          Map.entry("reencryptEncryptionZone", "/x"),
          Map.entry("listEncryptionZones", "/"),
          Map.entry("listReencryptionStatus", "/"),
          Map.entry("setQuota", "/x"),
          Map.entry("setSpaceQuota", "/x"));

  /** All that a DataNode says and all that refreshes something. */
  private static final List<Class<?>> OF_OTHERS =
      List.of(
          DatanodeProtocolPB.class,
          DatanodeLifelineProtocolPB.class,
          RefreshAuthorizationPolicyProtocolPB.class,
          RefreshUserMappingsProtocolPB.class,
          RefreshCallQueueProtocolPB.class);

  private static final Attempt FILE_OF_THE_NAME_NODE =
      new Attempt(NamenodeProtocolPB.class, "getMostRecentNameNodeFileTxId", "", "");

  @TempDir static Path folder;
  private static TestKdc kdc;
  private static Configuration conf;
  private static NameNode nameNode;
  private static UserGroupInformation alice;
  private static LoggedLines audit;
  private static LoggedLines security;

  /**
   * A call.
   *
   * @param stub of its protocol
   * @param text of the request, as far as it matters; what must be there is filled in
   */
  private record Attempt(Class<?> stub, String method, String text, String operation) {
    /** Of ClientProtocol, and the operation is called as the method. */
    static Attempt of(String method) {
      return of(method, "", method);
    }

    static Attempt of(String method, String text, String operation) {
      return new Attempt(ClientNamenodeProtocolPB.class, method, text, operation);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    audit = new LoggedLines(FSNamesystem.AUDIT_LOG.getName());
    security = new LoggedLines("SecurityLogger.org.apache.hadoop");
    kdc = new TestKdc(folder, "nn/localhost", "alice", "carol");
    conf = kdc.siteOfOne();
    conf.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1@$0](nn@EXAMPLE.COM)s/.*/hdfs/\nRULE:[1:$1@$0](.*@EXAMPLE.COM)s/@.*//");
    conf.set("hadoop.user.group.static.mapping.overrides", "alice=others;carol=supergroup;hdfs=");
    recommendedPolicy().forEach(conf::set);
    conf.set("acacia.long.operation.threads", "1"); // which begin one by one
    TestKdc.use(conf);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    alice = kdc.login("alice");
  }

  @AfterAll
  static void stop() throws Exception {
    audit.close();
    security.close();
    if (nameNode != null) {
      nameNode.close();
    }
    kdc.close();
  }

  /** The users that may refresh something, as the documentation says it. */
  private static Map<String, String> recommendedPolicy() throws IOException {
    Map<String, String> policy =
        Files.readString(Path.of("../docs/security.md"))
            .lines()
            .filter(line -> line.startsWith("security.refresh."))
            .map(line -> line.split(" +"))
            .collect(Collectors.toMap(words -> words[0], words -> words[1]));
    assertThat(policy).isNotEmpty();
    return policy;
  }

  /** Source: the callers of checkSuperuserPrivilege in HDFS 3.5. */
  private static List<Attempt> superusers() {
    List<Attempt> all = new ArrayList<>();
    Stream.of(
            "metaSave",
            "listOpenFiles",
            "saveNamespace",
            "finalizeUpgrade",
            "refreshNodes",
            "setBalancerBandwidth",
            "listCorruptFileBlocks",
            "allowSnapshot",
            "disallowSnapshot",
            "getDatanodeStorageReport",
            "addCachePool",
            "modifyCachePool",
            "removeCachePool",
            "createEncryptionZone",
            "listEncryptionZones",
            "reencryptEncryptionZone",
            "listReencryptionStatus",
            "addErasureCodingPolicies",
            "removeErasureCodingPolicy",
            "enableErasureCodingPolicy",
            "disableErasureCodingPolicy",
            "getECTopologyResultForPolicies",
            "getCurrentEditLogTxid",
            "getEditsFromTxid")
        .map(Attempt::of)
        .map(
            attempt ->
                switch (attempt.method()) {
                  case "listOpenFiles" ->
                      Attempt.of(attempt.method(), "path: \"/x\"", "listOpenFiles");
                  case "addCachePool", "modifyCachePool" ->
                      Attempt.of(attempt.method(), "info { poolName: \"/x\" }", attempt.method());
                  default -> attempt;
                })
        .forEach(all::add);
    all.add(Attempt.of("getDatanodeReport", "", "datanodeReport"));
    all.add(Attempt.of("rollEdits", "", "rollEditLog"));
    all.add(
        Attempt.of(
            "setQuota", "namespaceQuota: 5 storagespaceQuota: 9223372036854775807", "setQuota"));
    all.add(
        Attempt.of(
            "setQuota",
            "namespaceQuota: 9223372036854775807 storagespaceQuota: 5",
            "setSpaceQuota"));
    for (String action : List.of("ENTER", "LEAVE", "FORCE_EXIT")) {
      all.add(
          Attempt.of(
              "setSafeMode",
              "action: SAFEMODE_" + action,
              "safemode_" + action.toLowerCase(Locale.ROOT)));
    }
    all.add(Attempt.of("rollingUpgrade", "action: QUERY", "queryRollingUpgrade"));
    all.add(Attempt.of("rollingUpgrade", "action: START", "startRollingUpgrade"));
    all.add(Attempt.of("rollingUpgrade", "action: FINALIZE", "finalizeRollingUpgrade"));
    all.add(Attempt.of("restoreFailedStorage", "arg: \"true\"", "enableRestoreFailedStorage"));
    all.add(Attempt.of("restoreFailedStorage", "arg: \"false\"", "disableRestoreFailedStorage"));
    all.add(Attempt.of("restoreFailedStorage", "arg: \"check\"", "checkRestoreFailedStorage"));
    Stream.of(
            "getBlocks",
            "getBlockKeys",
            "getTransactionId",
            "getMostRecentCheckpointTxId",
            "rollEditLog",
            "errorReport",
            "registerSubordinateNamenode",
            "startCheckpoint",
            "endCheckpoint",
            "getEditLogManifest",
            "isUpgradeFinalized",
            "isRollingUpgrade",
            "getNextSPSPath")
        .map(
            method ->
                new Attempt(
                    NamenodeProtocolPB.class,
                    method,
                    method.equals("getBlocks") ? "size: 1" : "",
                    method.equals("getTransactionId") ? "getTransactionID" : method))
        .forEach(all::add);
    Stream.of("monitorHealth", "transitionToActive", "transitionToStandby", "transitionToObserver")
        .map(method -> new Attempt(HAServiceProtocolPB.class, method, "", method))
        .forEach(all::add);
    for (String[] each :
        new String[][] {
          {"startReconfiguration", "startNamenodeReconfiguration"},
          {"getReconfigurationStatus", "getNamenodeReconfigurationStatus"},
          {"listReconfigurableProperties", "listNamenodeReconfigurableProperties"}
        }) {
      all.add(new Attempt(ReconfigurationProtocolPB.class, each[0], "", each[1]));
    }
    return all;
  }

  @Test
  void aUserIsNoSuperuser() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Attempt attempt : superusers()) {
      Throwable failure = failure(attempt);
      String expected =
          "Access denied for user alice. Superuser privilege is required for operation "
              + attempt.operation();
      String line =
          "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd="
              + attempt.operation()
              + "\tsrc="
              + (AT.containsKey(attempt.operation()) ? AT.get(attempt.operation()) : "null")
              + "\tdst=null\tperm=null";
      if (!(failure instanceof RemoteException remote)
          || !remote.getClassName().equals(AccessControlException.class.getName())
          || !remote.getMessage().equals(expected)) {
        wrong.add(attempt + ": " + failure);
      }
      if (!audit.has(line)) {
        wrong.add(attempt + ": no audit line");
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** By dfs.permissions.superusergroup. */
  @Test
  void aMemberOfTheSupergroupIsASuperuser() throws Exception {
    assertThat(call(kdc.login("carol"), Attempt.of("getDatanodeStorageReport"))).isNotNull();
    audit.await(
        "allowed=true\tugi=carol@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd=getDatanodeStorageReport\t");
  }

  /** HDFS names no operation here, and has no line in its audit log, where here is one. */
  @Test
  void aUserAsksForNoFileOfTheNameNode() throws Exception {
    assertThat(failure(FILE_OF_THE_NAME_NODE))
        .hasMessageContaining("Access denied for user alice. Superuser privilege is required");
    audit.await(
        "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*"
            + "\tcmd=getMostRecentNameNodeFileTxId\tsrc=null\tdst=null\tperm=null");
  }

  /** The connection is refused. */
  @Test
  void aUserIsNoDataNodeAndRefreshesNothing() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Class<?> stub : OF_OTHERS) {
      for (String method : methods(stub)) {
        Throwable failure = failure(new Attempt(stub, method, "", ""));
        if (!(failure instanceof RemoteException remote)
            || !remote.getClassName().equals(AuthorizationException.class.getName())
            || !remote.getMessage().contains("is not authorized for protocol interface")) {
          wrong.add(stub.getSimpleName() + " " + method + ": " + failure);
        }
      }
      security.await(
          "Authorization failed for alice@EXAMPLE\\.COM \\(auth:KERBEROS\\) for protocol=interface "
              + Pattern.quote(RPC.getProtocolName(stub)));
    }
    assertThat(wrong).isEmpty();
  }

  /** Backups, exports and members of the group, of a name that would be a line of its own. */
  @Test
  void aUserAsksForNoneOfTheNameNodesOwnCalls() throws Exception {
    List<Attempt> all = ownCalls();
    assertThat(all).hasSizeGreaterThan(2);
    for (Attempt attempt : all) {
      assertThat(failure(attempt))
          .as("%s", attempt)
          .hasMessageContaining("Access denied for user alice. Superuser privilege is required");
      audit.await(
          "allowed=false\tugi=alice@EXAMPLE\\.COM \\(auth:KERBEROS\\)\t.*\tcmd="
              + Pattern.quote(attempt.operation())
              + "\tsrc=/x\\\\nallowed=true\\\\tugi=hdfs\tdst=y\\\\n\tperm=null");
    }
  }

  /** As the NameNode names them to the one that asks for another. */
  private static List<Attempt> ownCalls() {
    String options =
        failure(new Attempt(GenericRefreshProtocolPB.class, "refresh", "identifier: \"none\"", ""))
            .getMessage()
            .lines()
            .findFirst()
            .orElseThrow();
    assertThat(options).contains("Valid options are: ");
    return Stream.of(options.split("Valid options are: ")[1].split(", "))
        .map(
            option ->
                new Attempt(
                    GenericRefreshProtocolPB.class,
                    "refresh",
                    "identifier: \""
                        + option
                        + "\" args: \"/x\\nallowed=true\\tugi=hdfs\" args: \"y\\n\"",
                    option))
        .toList();
  }

  @Test
  void whoWasRefusedLeavesNothingBehind() throws Exception {
    beRefusedAll(); // whatever the first ones make
    Leftovers leftovers = Leftovers.since(nameNode);
    beRefusedAll();
    leftovers.assertNone();
  }

  private static void beRefusedAll() {
    for (Attempt attempt : superusers()) {
      failure(attempt);
    }
    failure(FILE_OF_THE_NAME_NODE);
    for (Attempt attempt : ownCalls()) {
      failure(attempt);
    }
    for (Class<?> stub : OF_OTHERS) {
      for (String method : methods(stub)) {
        failure(new Attempt(stub, method, "", ""));
      }
    }
  }

  private static List<String> methods(Class<?> stub) {
    return Arrays.stream(stub.getMethods()).map(Method::getName).distinct().sorted().toList();
  }

  /** How a call of alice fails; none that succeeds. */
  private static Throwable failure(Attempt attempt) {
    Throwable failure = catchThrowable(() -> call(alice, attempt));
    assertThat(failure).as("%s", attempt).isInstanceOf(InvocationTargetException.class);
    return failure.getCause().getCause() == null
        ? failure.getCause()
        : failure.getCause().getCause();
  }

  private static Object call(UserGroupInformation user, Attempt attempt) throws Exception {
    Configuration client = new Configuration(conf);
    client.set("hadoop.security.service.user.name.key", "nn/localhost" + TestKdc.REALM);
    client.set("hadoop.rpc.protection", "authentication");
    client.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    RPC.setProtocolEngine(client, attempt.stub(), ProtobufRpcEngine2.class);
    Object proxy =
        RPC.getProxy(
            attempt.stub(),
            RPC.getProtocolVersion(attempt.stub()),
            new InetSocketAddress(
                InetAddress.getByName("localhost"), nameNode.rpcAddress().getPort()),
            user,
            client,
            NetUtils.getDefaultSocketFactory(client));
    try {
      Method method =
          Arrays.stream(attempt.stub().getMethods())
              .filter(each -> each.getName().equals(attempt.method()))
              .findFirst()
              .orElseThrow();
      Message.Builder request =
          ((Message) method.getParameterTypes()[1].getMethod("getDefaultInstance").invoke(null))
              .newBuilderForType();
      TextFormat.merge(attempt.text(), request);
      fill(request);
      return method.invoke(proxy, null, request.build());
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  /** What must be there and is not. */
  private static void fill(Message.Builder builder) {
    for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
      if (!field.isRequired() || builder.hasField(field)) {
        continue;
      }
      switch (field.getJavaType()) {
        case MESSAGE -> {
          Message.Builder inner = builder.newBuilderForField(field);
          fill(inner);
          builder.setField(field, inner.build());
        }
        case STRING -> builder.setField(field, "/x");
        case BYTE_STRING -> builder.setField(field, ByteString.EMPTY);
        case ENUM -> builder.setField(field, field.getEnumType().getValues().get(0));
        default -> builder.setField(field, field.getDefaultValue());
      }
    }
  }
}
