package io.acaciafs.kv.raft.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/**
 * Gives other members the files of a copy, beside Ratis's own services. A request is a text: {@code
 * list}, which is answered with a line for each file, its length and name, or {@code read OFFSET
 * NAME}, which is answered with up to {@link #PIECE_BYTES} bytes, none at the file's end.
 */
public final class CopyService {
  static final int PIECE_BYTES = 1 << 20;
  static final String LIST = "list";
  static final String READ = "read ";
  private static final String SERVICE = "io.acaciafs.kv.raft.Copy";

  static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "ask"))
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private final StoreCopy copy;

  /**
   * @param copy of this member's store
   */
  public CopyService(StoreCopy copy) {
    this.copy = copy;
  }

  public ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(METHOD, ServerCalls.asyncUnaryCall(this::answer))
        .build();
  }

  private void answer(byte[] request, StreamObserver<byte[]> reply) {
    try {
      reply.onNext(answer(new String(request, UTF_8)));
      reply.onCompleted();
    } catch (IOException | StoreException | IllegalArgumentException e) {
      reply.onError(Status.FAILED_PRECONDITION.withDescription(e.getMessage()).asException());
    }
  }

  private byte[] answer(String request) throws IOException {
    if (request.equals(LIST)) {
      return copy.list().getBytes(UTF_8);
    }
    if (request.startsWith(READ)) {
      String[] words = request.split(" ", 3);
      if (words.length == 3) {
        return copy.read(words[2], Long.parseLong(words[1]), PIECE_BYTES);
      }
    }
    throw new IllegalArgumentException("Not understood: " + request);
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
