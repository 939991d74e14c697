package io.acaciafs.kv.raft.call;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/** A connection of its own to one service of a member. Safe for use by many threads. */
public final class GrpcConnection implements MemberConnection {
  private final String address;
  private final BytesService service;
  private final ManagedChannel channel;

  /**
   * Connects when it is first asked.
   *
   * @param address {@code host:port} of the member
   */
  public GrpcConnection(String address, ChannelSecurity security, BytesService service) {
    this.address = address;
    this.service = service;
    this.channel = MemberChannel.to(address, security);
  }

  @Override
  public CompletableFuture<byte[]> ask(byte[] request, long patienceMs) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(
            service.method(),
            CallOptions.DEFAULT.withDeadlineAfter(patienceMs, TimeUnit.MILLISECONDS)),
        request,
        new StreamObserver<>() {
          @Override
          public void onNext(byte[] value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable cause) {
            answer.completeExceptionally(
                new IOException(sentence(Status.fromThrowable(cause), patienceMs), cause));
          }

          @Override
          public void onCompleted() {
            answer.completeExceptionally(new IOException(address + " gave no answer"));
          }
        });
    return answer;
  }

  private String sentence(Status status, long patienceMs) {
    return switch (status.getCode()) {
      case FAILED_PRECONDITION -> String.valueOf(status.getDescription());
      case DEADLINE_EXCEEDED -> address + " did not answer in " + patienceMs + " ms";
      case UNAVAILABLE -> address + " cannot be reached";
      case UNIMPLEMENTED -> address + " runs a version that does not know what it was asked";
      default -> address + " gave no answer: " + status;
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
