package io.acaciafs.hbase.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.CommitRequest;
import io.acaciafs.hbase.protocol.ConditionalWrite;
import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.ReadReply;
import io.acaciafs.hbase.protocol.ReadRequest;
import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** Who may call, and what is not understood; on a region that only reads. */
class RegionEndpointTest {
  private static final byte[] ROW = {9, 7};

  private final List<String> calls = new ArrayList<>();
  private final Configuration configuration = new Configuration(false);
  private boolean isAllowed = true;

  @Test
  void aReadAnswersRowsAndHoldsTheRegionOpenMeanwhile() throws Exception {
    byte[] reply = call(RegionService.READ, new ReadRequest(List.of(ROW)).encode());
    assertThat(ReadReply.decode(reply).rows().get(0).cells().get(0).value()).containsExactly(5);
    assertThat(calls).containsExactly("startRegionOperation", "get", "closeRegionOperation");
  }

  /** Also where the row comes from memory, which no other coprocessor sees. */
  @Test
  void whereHBaseAuthorizesTheCallerReadsARowFirst() throws Exception {
    configuration.setBoolean("hbase.security.authorization", true);
    Service service = service();
    call(service, RegionService.READ, new ReadRequest(List.of(ROW)).encode());
    isAllowed = false;
    calls.clear();
    for (String method : List.of(RegionService.READ, RegionService.COMMIT)) {
      byte[] message =
          method.equals(RegionService.READ)
              ? new ReadRequest(List.of(ROW)).encode()
              : new CommitRequest(write(), List.of()).encode();
      assertThat(failure(service, method, message)).isInstanceOf(AccessDeniedException.class);
    }
    assertThat(calls).containsExactly("authorized get", "authorized get");
  }

  @Test
  void whatIsNoMessageIsRefusedForGood() throws Exception {
    assertThat(failure(service(), RegionService.COMMIT, new byte[] {1, 2, 3}))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("Not a message of this coprocessor's version");
  }

  private static ConditionalWrite write() {
    byte[] column = {'v'};
    return new ConditionalWrite(
        List.of(),
        List.of(new Change(ROW, Change.Kind.PUT, Family.DATA, column, 1, new byte[] {1})));
  }

  private byte[] call(String method, byte[] message) throws Exception {
    return call(service(), method, message);
  }

  private static byte[] call(Service service, String method, byte[] message) throws Exception {
    ServerRpcController controller = new ServerRpcController();
    byte[] reply = call(service, controller, method, message);
    controller.checkFailed();
    return reply;
  }

  private static IOException failure(Service service, String method, byte[] message) {
    ServerRpcController controller = new ServerRpcController();
    call(service, controller, method, message);
    return controller.getFailedOn();
  }

  private static byte[] call(
      Service service, ServerRpcController controller, String name, byte[] message) {
    MethodDescriptor method = service.getDescriptorForType().findMethodByName(name);
    FieldDescriptor field = method.getInputType().findFieldByNumber(RegionService.MESSAGE_FIELD);
    Message request =
        service
            .getRequestPrototype(method)
            .newBuilderForType()
            .setField(field, ByteString.copyFrom(message))
            .build();
    AtomicReference<Message> reply = new AtomicReference<>();
    service.callMethod(method, controller, request, reply::set);
    return ((ByteString) reply.get().getField(field)).toByteArray();
  }

  private Service service() throws IOException {
    RegionEndpoint endpoint = new RegionEndpoint();
    endpoint.start(
        fake(
            RegionCoprocessorEnvironment.class,
            (method, arguments) ->
                method.equals("getRegion") ? fake(Region.class, this::ofRegion) : configuration));
    return endpoint.getServices().iterator().next();
  }

  private Object ofRegion(String method, Object[] arguments) throws IOException {
    boolean isAuthorized = method.equals("get") && arguments.length == 1;
    calls.add(isAuthorized ? "authorized get" : method);
    if (isAuthorized && !isAllowed) {
      throw new AccessDeniedException("not this user");
    }
    if (isAuthorized) {
      return Result.EMPTY_RESULT;
    }
    return method.equals("get")
        ? List.of(new KeyValue(ROW, Family.DATA.bytes(), new byte[] {'v'}, 1, new byte[] {5}))
        : null;
  }

  /** Answers a call. */
  private interface Answer {
    Object to(String method, Object[] arguments) throws IOException;
  }

  private static <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
  }
}
