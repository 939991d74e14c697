package io.acaciafs.rpc.codec;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.StringUtils;

/**
 * What a client is told of a failure.
 *
 * @param status ERROR for one call, FATAL for the connection
 * @param exceptionClassName the class that the client makes its exception of
 * @param errorMsg the text, with or without a stack trace; not null
 */
public record RpcFailure(
    RpcStatusProto status, RpcErrorCodeProto code, String exceptionClassName, String errorMsg) {

  /** The text of {@code CallQueueManager}, whose exceptions clients retry. */
  public static final String TOO_BUSY = "Server too busy";

  public boolean fatal() {
    return status == RpcStatusProto.FATAL;
  }

  public static RpcFailure tooBusy(RpcStatusProto status) {
    return tooBusy(status, TOO_BUSY);
  }

  public static RpcFailure tooBusy(RpcStatusProto status, String text) {
    return new RpcFailure(
        status, RpcErrorCodeProto.ERROR_RPC_SERVER, RetriableException.class.getName(), text);
  }

  /**
   * What a method's failure looks like to its client. The text is the stack trace without the name
   * of the exception in front, for clients add that themselves.
   *
   * @param failure already {@linkplain #cause unwrapped}
   * @param terse classes of which only the message is told
   */
  public static RpcFailure of(Throwable failure, Set<Class<? extends Throwable>> terse) {
    RpcStatusProto status = RpcStatusProto.ERROR;
    RpcErrorCodeProto code = RpcErrorCodeProto.ERROR_APPLICATION;
    if (failure instanceof RpcServerException e) {
      status = e.getRpcStatusProto();
      code = e.getRpcErrorCodeProto();
    }
    String name = failure.getClass().getName();
    String text;
    if (terse.contains(failure.getClass())) {
      text = failure.getMessage() == null ? "" : failure.getMessage();
    } else {
      text = StringUtils.stringifyException(failure);
      String prefix = name + ": ";
      text = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }
    return new RpcFailure(status, code, name, text);
  }

  /** The exception that a method meant, without what futures and translators wrap around it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof CompletionException
            || cause instanceof ExecutionException
            || cause instanceof UndeclaredThrowableException
            || cause instanceof ServiceException)) {
      cause = cause.getCause();
    }
    return cause;
  }
}
