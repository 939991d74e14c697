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
 * The failure that a client gets.
 *
 * @param status ERROR for one call, FATAL for the connection
 * @param exceptionClassName the class of the exception that the client throws
 * @param errorMsg the text, with or without a stack trace
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
   * The failure that a client gets when a method throws an exception. The text is the stack trace
   * without the name of the exception in front, because clients add that.
   *
   * @param failure already {@linkplain #cause unwrapped}
   * @param terse classes of exceptions that the client gets without a stack trace
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

  /** The exception of a method, without the exceptions that futures and protobuf wrap it in. */
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
