package io.acaciafs.namenode.local;

import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Makes {@link ClientProtocol}s that call this process's own methods: Hadoop's translator over the
 * protobuf messages, with a call in the place of the network. Failures are the exceptions that the
 * methods mean, not remote ones. Safe for use by many threads; a call blocks its caller.
 */
public final class LocalClients {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final LocalCalls calls;
  private final Duration patience;

  /**
   * @param calls of ClientProtocol
   * @param patience after which a call that has not been answered fails, though it may go on
   */
  public LocalClients(LocalCalls calls, Duration patience) {
    this.calls = Objects.requireNonNull(calls);
    this.patience = Objects.requireNonNull(patience);
  }

  /** Calls from inside the process, which wait as long as a client would. */
  public static LocalClients of(RpcProtocol clientProtocol, CallListener.Provider listeners) {
    return new LocalClients(new LocalCalls(clientProtocol, listeners), PATIENCE);
  }

  /** Calls as this user, who is at this address. */
  public ClientProtocol of(UserGroupInformation user, InetSocketAddress address) {
    InvocationHandler handler = (proxy, method, args) -> invoke(user, address, method, args);
    return new ClientNamenodeProtocolTranslatorPB(
        (ClientNamenodeProtocolPB)
            Proxy.newProxyInstance(
                LocalClients.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocolPB.class},
                handler));
  }

  private Object invoke(
      UserGroupInformation user, InetSocketAddress address, Method method, Object[] args)
      throws ServiceException {
    try {
      return read(await(calls.call(user, address, method.getName(), (Message) args[1])));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServiceException(e); // which the translator opens
    }
  }

  private Message await(CompletionStage<? extends Message> reply) throws Exception {
    try {
      return reply.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw cause(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for an answer");
    } catch (TimeoutException e) {
      throw new IOException("No answer within " + patience.toSeconds() + " s", e);
    }
  }

  private static Exception cause(Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (Exception) cause;
  }

  /** Some replies are made for the wire alone, of fields that have no names here. */
  private static Message read(Message reply) throws IOException {
    return reply.getUnknownFields().asMap().isEmpty()
        ? reply
        : reply.getParserForType().parseFrom(reply.toByteString());
  }
}
