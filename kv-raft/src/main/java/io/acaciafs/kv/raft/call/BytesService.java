package io.acaciafs.kv.raft.call;

import io.acaciafs.kv.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/** A service of gRPC with one method, of which it knows bytes alone. Immutable. */
public final class BytesService {
  private final String name;
  private final MethodDescriptor<byte[], byte[]> method;

  /** Answers a request. Safe for use by many threads. */
  @FunctionalInterface
  public interface Answerer {
    /**
     * @throws IOException with a sentence for people, which the asking member gets
     * @throws StoreException the same
     * @throws IllegalArgumentException when the request is not understood
     */
    byte[] answer(byte[] request) throws IOException;
  }

  /**
   * @param name as the members know it
   */
  public BytesService(String name) {
    this.name = name;
    this.method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(name, "ask"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
  }

  public MethodDescriptor<byte[], byte[]> method() {
    return method;
  }

  /** The service where requests come in. */
  public ServerServiceDefinition definition(Answerer answerer) {
    return ServerServiceDefinition.builder(name)
        .addMethod(
            method,
            ServerCalls.asyncUnaryCall((request, reply) -> answer(answerer, request, reply)))
        .build();
  }

  private static void answer(Answerer answerer, byte[] request, StreamObserver<byte[]> reply) {
    try {
      reply.onNext(answerer.answer(request));
      reply.onCompleted();
    } catch (IOException | StoreException | IllegalArgumentException e) {
      reply.onError(Status.FAILED_PRECONDITION.withDescription(e.getMessage()).asException());
    }
  }

  /** Bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
