package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.run.FailureText;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/** What failures of requests mean. */
public final class Failures {
  /** Of the server's own packages, which clients do not have. */
  private static final String WRONG_REGION =
      "org.apache.hadoop.hbase.regionserver.WrongRegionException";

  private static final String OUT_OF_RANGE = "Requested row out of range";

  /** How HBase's HRegion says that its table is. */
  private static final String READ_ONLY = "region is read only";

  private Failures() {}

  /** Whether the request certainly wrote nothing, because no region took it. */
  public static boolean isNotServed(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Throwable meant = cause instanceof RemoteException remote ? unwrap(remote) : cause;
      if (meant instanceof NotServingRegionException
          || meant instanceof RegionMovedException
          || meant instanceof RegionOpeningException
          || meant instanceof RegionTooBusyException
          || meant instanceof CallQueueTooBigException
          || meant instanceof CallDroppedException
          || meant instanceof ServerNotRunningYetException
          || meant instanceof RegionServerStoppedException
          || meant instanceof FailedServerException
          // of a server that could not reach another one it says nothing
          || meant instanceof ConnectException && !(cause instanceof RemoteException)) {
        return true;
      }
      String text = String.valueOf(meant.getMessage());
      if (text.contains(OUT_OF_RANGE) || text.contains(WRONG_REGION)) {
        return true; // a region was split, perhaps within a partition
      }
    }
    return false;
  }

  /** Whether the request certainly wrote nothing, because the table is read-only. */
  public static boolean isReadOnly(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(READ_ONLY)) {
        return true;
      }
    }
    return false;
  }

  private static Throwable unwrap(RemoteException remote) {
    return remote.getClassName() != null && remote.getClassName().equals(WRONG_REGION)
        ? new NotServingRegionException(remote.getMessage())
        : remote.unwrapRemoteException();
  }

  /** Why a stage failed that perhaps only depends on the one that did. */
  public static Throwable causeOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** One line of why. */
  public static String reason(@Nullable Throwable failure) {
    if (failure == null) {
      return "others were faster each time";
    }
    Throwable cause = failure;
    if (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = FailureText.of(cause);
    boolean saysAll = cause instanceof TimeoutException || cause.getMessage() == null;
    return saysAll ? text : cause.getClass().getSimpleName() + ": " + text;
  }
}
