package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namenode.webuser.WebUsers;
import java.time.Clock;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * What fsck needs of the NameNode.
 *
 * @param users tells for whom a request is to be done
 * @param isSuperuser of a user, who may see everything
 * @param pathOfFile by the file's inode id, as it was a moment ago; null where it is gone
 * @param clock for the times that are told
 */
public record FsckServices(
    Configuration conf,
    WebUsers users,
    LocalClients clients,
    BlockManager blocks,
    Predicate<UserGroupInformation> isSuperuser,
    LongFunction<@Nullable String> pathOfFile,
    Clock clock,
    AuditLog audit) {}
