package io.acaciafs.systemtests.sidebyside;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.SilentDatanode;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Internal;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.TextFormat;

/** One of the two NameNodes, as several users see it, without any client between. */
final class Side implements AutoCloseable {
  private static final int CALL_LIMIT_MS = 60_000;

  private final Cluster cluster;
  private final Map<String, Object> stubs = new HashMap<>();
  private final Map<String, String> values = new TreeMap<>(Comparator.reverseOrder());

  private final SilentDatanode datanode;

  Side(Cluster cluster) throws IOException {
    this.cluster = cluster;
    this.datanode = new SilentDatanode(cluster.port(), cluster.clientConfiguration());
  }

  SilentDatanode datanode() {
    return datanode;
  }

  Cluster cluster() {
    return cluster;
  }

  /** What {@code $NAME} stands for in requests. */
  Map<String, String> values() {
    return values;
  }

  /** The method's request without any field. */
  static Message prototype(Protocol protocol, String method) {
    return Internal.getDefaultInstance(
        method(protocol, method).getParameterTypes()[1].asSubclass(Message.class));
  }

  private static Method method(Protocol protocol, String name) {
    return Arrays.stream(protocol.stub().getMethods())
        .filter(method -> method.getName().equals(name))
        .filter(method -> method.getParameterTypes()[0] == RpcController.class)
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException(protocol + " has no " + name));
  }

  /** The answer, or {@code CLASS: message} of the exception. */
  Answer ask(String user, Request request) throws IOException {
    Message message = request.build(values);
    try {
      return Answer.given((Message) send(request.protocol(), user, request.method(), message));
    } catch (RemoteException e) {
      return Answer.refused(e.getClassName(), e.getMessage());
    } catch (IOException e) {
      return Answer.refused("without an answer, " + e.getClass().getName(), e.getMessage());
    }
  }

  /** The answer; the exception, where there is one. */
  Object send(Protocol protocol, String user, String method, Message message) throws IOException {
    try {
      return method(protocol, method).invoke(stub(protocol, user), null, message);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause().getCause() == null ? e.getCause() : e.getCause().getCause();
      throw cause instanceof IOException failure ? failure : new IOException(cause);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same from text, for what has to succeed. */
  Message run(String user, String method, String text) {
    try {
      return (Message) send(Protocol.CLIENT, user, method, new Request(method, text).build(values));
    } catch (IOException e) {
      throw new AssertionError(method + " {" + text + "} of the fixture failed", e);
    }
  }

  private Object stub(Protocol protocol, String user) throws IOException {
    String key = protocol + " " + user;
    Object stub = stubs.get(key);
    if (stub == null) {
      Configuration conf = cluster.clientConfiguration();
      RPC.setProtocolEngine(conf, protocol.stub(), ProtobufRpcEngine2.class);
      stub =
          RPC.getProxy(
              protocol.stub(),
              RPC.getProtocolVersion(protocol.stub()),
              new InetSocketAddress("127.0.0.1", cluster.port()),
              UserGroupInformation.createRemoteUser(user),
              conf,
              NetUtils.getDefaultSocketFactory(conf),
              CALL_LIMIT_MS);
      stubs.put(key, stub);
    }
    return stub;
  }

  static String text(Message message) {
    return TextFormat.printer().printToString(message);
  }

  @Override
  public void close() throws IOException {
    stubs.values().forEach(RPC::stopProxy);
    datanode.close();
    cluster.close();
  }
}
