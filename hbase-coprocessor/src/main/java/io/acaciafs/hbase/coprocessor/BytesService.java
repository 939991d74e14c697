package io.acaciafs.hbase.coprocessor;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/**
 * {@link RegionService} as HBase's RPC wants a service: by a description of Protocol Buffers. Each
 * message is one field of bytes. Safe for use by many threads.
 */
final class BytesService implements Service {
  private static final String MESSAGE = "Message";

  private static final ServiceDescriptor DESCRIPTOR = describe();
  private static final FieldDescriptor FIELD =
      DESCRIPTOR.getMethods().get(0).getInputType().findFieldByNumber(RegionService.MESSAGE_FIELD);
  private static final DynamicMessage EMPTY =
      DynamicMessage.getDefaultInstance(FIELD.getContainingType());

  private final Map<String, Handler> handlers;

  /** Answers a message. */
  @FunctionalInterface
  interface Handler {
    byte[] handle(byte[] message) throws IOException;
  }

  /**
   * @param handlers for all methods of the service, by name
   */
  BytesService(Map<String, Handler> handlers) {
    this.handlers = handlers;
  }

  private static ServiceDescriptor describe() {
    int dot = RegionService.NAME.indexOf('.');
    FieldDescriptorProto field =
        FieldDescriptorProto.newBuilder()
            .setName("bytes")
            .setNumber(RegionService.MESSAGE_FIELD)
            .setType(FieldDescriptorProto.Type.TYPE_BYTES)
            .setLabel(FieldDescriptorProto.Label.LABEL_REQUIRED)
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("region_service.proto")
            .setPackage(RegionService.NAME.substring(0, dot))
            .addMessageType(DescriptorProto.newBuilder().setName(MESSAGE).addField(field))
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName(RegionService.NAME.substring(dot + 1))
                    .addMethod(method(RegionService.COMMIT))
                    .addMethod(method(RegionService.READ))
                    .addMethod(method(RegionService.VERSION)))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]).getServices().get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodDescriptorProto method(String name) {
    return MethodDescriptorProto.newBuilder()
        .setName(name)
        .setInputType(MESSAGE)
        .setOutputType(MESSAGE)
        .build();
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return DESCRIPTOR;
  }

  @Override
  public void callMethod(
      MethodDescriptor method,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    Handler handler = Objects.requireNonNull(handlers.get(method.getName()), method::getName);
    byte[] reply = {};
    try {
      reply = handler.handle(((ByteString) request.getField(FIELD)).toByteArray());
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    }
    done.run(EMPTY.newBuilderForType().setField(FIELD, ByteString.copyFrom(reply)).build());
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return EMPTY;
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return EMPTY;
  }
}
