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
import io.acaciafs.hbase.protocol.PageRequest;
import io.acaciafs.hbase.protocol.ReadReply;
import io.acaciafs.hbase.protocol.ReadRequest;
import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.hbase.protocol.StoredPage;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
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
    byte[] reply = call(RegionService.READ, new ReadRequest(List.of(ROW), List.of()).encode());
    assertThat(ReadReply.decode(reply).rows().get(0).cells().get(0).value()).containsExactly(5);
    assertThat(calls).containsExactly("startRegionOperation", "get", "closeRegionOperation");
  }

  @Test
  void aPageIsReadOnceUntilARowOfItChanges() throws Exception {
    RegionEndpoint endpoint = endpoint();
    Service service = endpoint.getServices().iterator().next();
    byte[] wanted =
        new ReadRequest(List.of(), List.of(new PageRequest(ROW, new byte[] {10}, 5))).encode();
    for (int i = 0; i < 3; i++) {
      StoredPage page = ReadReply.decode(call(service, RegionService.READ, wanted)).pages().get(0);
      assertThat(page.hasMore()).isFalse();
      List<byte[]> keys = new ArrayList<>();
      page.forEach((key, row) -> keys.add(key));
      assertThat(keys).containsExactly(ROW);
    }
    assertThat(calls).containsOnlyOnce("getScanner");
    MiniBatchOperationInProgress<Mutation> batch =
        new MiniBatchOperationInProgress<>(
            new Mutation[] {new Put(new byte[] {9, 8})}, null, null, 0, 1, 1);
    endpoint.preBatchMutate(null, batch);
    call(service, RegionService.READ, wanted);
    endpoint.postBatchMutateIndispensably(null, batch, true);
    call(service, RegionService.READ, wanted);
    call(service, RegionService.READ, wanted);
    assertThat(calls.stream().filter("getScanner"::equals)).as("not kept meanwhile").hasSize(3);
  }

  /** Also where the row comes from memory, which no other coprocessor sees. */
  @Test
  void whereHBaseAuthorizesTheCallerReadsARowFirst() throws Exception {
    configuration.setBoolean("hbase.security.authorization", true);
    Service service = service();
    call(service, RegionService.READ, new ReadRequest(List.of(ROW), List.of()).encode());
    isAllowed = false;
    calls.clear();
    for (String method : List.of(RegionService.READ, RegionService.COMMIT)) {
      byte[] message =
          method.equals(RegionService.READ)
              ? new ReadRequest(List.of(ROW), List.of()).encode()
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
    return endpoint().getServices().iterator().next();
  }

  private RegionEndpoint endpoint() throws IOException {
    RegionEndpoint endpoint = new RegionEndpoint();
    endpoint.start(
        fake(
            RegionCoprocessorEnvironment.class,
            (method, arguments) ->
                method.equals("getRegion") ? fake(Region.class, this::ofRegion) : configuration));
    return endpoint;
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
    if (method.equals("getScanner")) {
      return fake(RegionScanner.class, RegionEndpointTest::ofScanner);
    }
    return method.equals("get") ? List.of(cell()) : null;
  }

  private static Cell cell() {
    return new KeyValue(ROW, Family.DATA.bytes(), new byte[] {'v'}, 1, new byte[] {5});
  }

  /** Of the one row that there is. */
  @SuppressWarnings("unchecked")
  private static Object ofScanner(String method, Object[] arguments) {
    if (method.equals("next")) {
      ((List<Cell>) arguments[0]).add(cell());
      return false;
    }
    return null;
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
