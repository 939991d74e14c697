package io.acaciafs.namenode.ha;

import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namenode.process.Threads;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.SubjectUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of this NameNode at the others. With a keytab it logs in anew before its ticket ends,
 * and after another NameNode has refused it, as that one may have a new key. Each time with a login
 * of its own: the old ticket serves until there is another, and the login by which clients
 * authenticate here is not touched, so that a KDC that does not answer holds nobody up.
 *
 * <p>Logs in on a thread of its own until it is closed. Safe for use by many threads. Source of the
 * times: {@code UserGroupInformation.getRefreshTime}, {@code
 * hadoop.kerberos.min.seconds.before.relogin}.
 */
final class OwnLogin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnLogin.class);
  private static final String FAILED = "Login of this NameNode at the others, will try again";
  private static final long LOOK_MS = 1_000;
  private static final double USED_PART = 0.8;

  private final String keytab;
  private final long pauseNs;
  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ScheduledExecutorService thread = Threads.scheduler("standby-login", 1);
  private volatile UserGroupInformation user;
  private volatile boolean isRefused;

  /** Of the last attempt; of the thread alone. */
  private long triedNs;

  /** Begins with the login of the process. */
  OwnLogin(Configuration conf) throws IOException {
    keytab = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, "");
    pauseNs =
        TimeUnit.SECONDS.toNanos(
            conf.getLong(
                CommonConfigurationKeysPublic.HADOOP_KERBEROS_MIN_SECONDS_BEFORE_RELOGIN,
                CommonConfigurationKeysPublic.HADOOP_KERBEROS_MIN_SECONDS_BEFORE_RELOGIN_DEFAULT));
    user = UserGroupInformation.getLoginUser();
    triedNs = System.nanoTime() - pauseNs;
    if (user.isFromKeytab() && !keytab.isEmpty()) {
      thread.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** With a ticket, as far as this NameNode needs one. */
  UserGroupInformation user() {
    return user;
  }

  /**
   * Another NameNode did not take it.
   *
   * @param refused which it was; nothing happens where there is another one by now
   */
  void refused(UserGroupInformation refused) {
    if (!isRefused && refused.equals(user) && refused.isFromKeytab()) {
      isRefused = true; // the next look will see it, if it is not this one
      try {
        thread.execute(this::look);
      } catch (RejectedExecutionException e) {
        LOG.debug("Ends", e);
      }
    }
  }

  private void look() {
    try {
      if ((isRefused || isOld()) && System.nanoTime() - triedNs >= pauseNs) {
        triedNs = System.nanoTime();
        user = UserGroupInformation.loginUserFromKeytabAndReturnUGI(user.getUserName(), keytab);
        isRefused = false;
        LOG.info("Logged in anew for other NameNodes user={}", user.getUserName());
      }
      failures.succeeded(FAILED);
    } catch (IOException | RuntimeException e) { // one that escaped would end all further looks
      failures.failed(FAILED, e);
    }
  }

  /** Whether most of the ticket's time is over, or there is none. */
  private boolean isOld() {
    PrivilegedAction<Optional<KerberosTicket>> find =
        () ->
            SubjectUtil.current().getPrivateCredentials(KerberosTicket.class).stream()
                .filter(ticket -> ticket.getServer().getName().startsWith("krbtgt/"))
                .findFirst();
    return user.doAs(find)
        .map(
            ticket -> {
              long startMs = ticket.getStartTime().getTime();
              double lifeMs = ticket.getEndTime().getTime() - startMs;
              return System.currentTimeMillis() - startMs > USED_PART * lifeMs;
            })
        .orElse(true);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
