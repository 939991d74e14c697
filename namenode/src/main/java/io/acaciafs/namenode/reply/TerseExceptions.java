package io.acaciafs.namenode.reply;

import java.io.FileNotFoundException;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.AclException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.FSLimitException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.hdfs.server.protocol.DisallowedDatanodeException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;

/** Refusals that are part of normal work: told to clients without a stack trace. */
public final class TerseExceptions {
  public static final Set<Class<? extends Throwable>> ALL =
      Set.of(
          AccessControlException.class,
          AclException.class,
          AlreadyBeingCreatedException.class,
          DisallowedDatanodeException.class,
          FileAlreadyExistsException.class,
          FileNotFoundException.class,
          FSLimitException.MaxDirectoryItemsExceededException.class,
          FSLimitException.PathComponentTooLongException.class,
          HadoopIllegalArgumentException.class,
          InvalidPathException.class,
          LeaseExpiredException.class,
          NotReplicatedYetException.class,
          ParentNotDirectoryException.class,
          PathIsNotEmptyDirectoryException.class,
          QuotaExceededException.class,
          DSQuotaExceededException.class,
          NSQuotaExceededException.class,
          QuotaByStorageTypeExceededException.class,
          RecoveryInProgressException.class,
          RetriableException.class,
          SafeModeException.class,
          UnresolvedPathException.class,
          UnsupportedOperationException.class);

  private TerseExceptions() {}
}
