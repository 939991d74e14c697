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
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.RefreshCallQueueProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.protocolPB.RefreshAuthorizationPolicyProtocolPB;
import org.apache.hadoop.security.protocolPB.RefreshUserMappingsProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.TextFormat;

/**
 * Calls that only the superuser, administrators or DataNodes may make, by a user with a ticket who
 * goes past the checks of Hadoop's clients.
 */
final class ForbiddenCalls {
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
  static final List<Class<?>> OF_OTHERS =
      List.of(
          DatanodeProtocolPB.class,
          DatanodeLifelineProtocolPB.class,
          RefreshAuthorizationPolicyProtocolPB.class,
          RefreshUserMappingsProtocolPB.class,
          RefreshCallQueueProtocolPB.class);

  static final Attempt FILE_OF_THE_NAME_NODE =
      new Attempt(NamenodeProtocolPB.class, "getMostRecentNameNodeFileTxId", "", "");

  /**
   * A call of one who may not make it.
   *
   * @param stub of its protocol
   * @param text of the request, as far as it matters; what must be there is filled in
   */
  record Attempt(Class<?> stub, String method, String text, String operation) {
    /** Of ClientProtocol, and the operation is called as the method. */
    static Attempt of(String method) {
      return of(method, "", method);
    }

    static Attempt of(String method, String text, String operation) {
      return new Attempt(ClientNamenodeProtocolPB.class, method, text, operation);
    }
  }

  private final UserGroupInformation user;
  private final Configuration conf;
  private final InetSocketAddress address;

  /**
   * @param user may make none of them
   * @param port of the NameNode on this host
   */
  ForbiddenCalls(UserGroupInformation user, Configuration conf, int port) throws IOException {
    this.user = user;
    this.conf = conf;
    this.address = new InetSocketAddress(InetAddress.getByName("localhost"), port);
  }

  /** The users that may refresh something, as the documentation says it. */
  static Map<String, String> recommendedPolicy() throws IOException {
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
  static List<Attempt> superusers() {
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

  /**
   * Makes those of superusers.
   *
   * @param standsBy whether the NameNode may say that another one leads, which leaves no line
   * @return what was wrong of the answers and of the audit log
   */
  List<String> wronglyAnswered(boolean standsBy) throws InterruptedException {
    List<String> wrong = new ArrayList<>();
    try (LoggedLines audit = new LoggedLines(FSNamesystem.AUDIT_LOG.getName())) {
      for (Attempt attempt : superusers()) {
        Throwable failure = failure(attempt);
        if (standsBy && isOf(StandbyException.class, failure)) {
          continue;
        }
        if (!isRefusal(failure, attempt)) {
          wrong.add(attempt + ": " + failure);
        }
        if (!audit.has(auditLine(attempt))) {
          wrong.add(attempt + ": no audit line");
        }
      }
    }
    return wrong;
  }

  private static boolean isOf(Class<?> type, Throwable failure) {
    return failure instanceof RemoteException remote
        && remote.getClassName().equals(type.getName());
  }

  private boolean isRefusal(Throwable failure, Attempt attempt) {
    return isOf(AccessControlException.class, failure)
        && failure
            .getMessage()
            .equals(
                "Access denied for user "
                    + user.getShortUserName()
                    + ". Superuser privilege is required for operation "
                    + attempt.operation());
  }

  private String auditLine(Attempt attempt) {
    return "allowed=false\tugi="
        + Pattern.quote(user.getUserName())
        + " \\(auth:KERBEROS\\)\t.*\tcmd="
        + attempt.operation()
        + "\tsrc="
        + AT.getOrDefault(attempt.operation(), "null")
        + "\tdst=null\tperm=null";
  }

  /** The NameNode's own, as it names them to the one that asks for another. */
  List<Attempt> ownCalls() {
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

  /** Asks for all. */
  void beRefusedAll() {
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

  static List<String> methods(Class<?> stub) {
    return Arrays.stream(stub.getMethods()).map(Method::getName).distinct().sorted().toList();
  }

  /** How a call of the user fails; none that succeeds. */
  Throwable failure(Attempt attempt) {
    Throwable failure = catchThrowable(() -> call(user, attempt));
    assertThat(failure).as("%s", attempt).isInstanceOf(InvocationTargetException.class);
    return failure.getCause().getCause() == null
        ? failure.getCause()
        : failure.getCause().getCause();
  }

  /** What the NameNode answers a user. */
  Object call(UserGroupInformation user, Attempt attempt) throws Exception {
    Configuration client = new Configuration(conf);
    client.set("hadoop.security.service.user.name.key", "nn/localhost" + TestKdc.REALM);
    client.set("hadoop.rpc.protection", "authentication");
    client.setInt("ipc.client.connect.max.retries.on.sasl", 1);
    RPC.setProtocolEngine(client, attempt.stub(), ProtobufRpcEngine2.class);
    Object proxy =
        RPC.getProxy(
            attempt.stub(),
            RPC.getProtocolVersion(attempt.stub()),
            address,
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
