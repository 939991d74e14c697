package io.acaciafs.namespace.context;

import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * A class of the site that decides for one call what its user may do, in place of HDFS's rules.
 * What it throws fails the call alone. Safe for use by many threads.
 */
public interface ExternalAuthorizer {
  /** What decides in one attempt of an operation, on the thread of the attempt. */
  AccessEnforcer enforcer(OperationContext context);

  /**
   * Checks what superusers alone may do. Also called whenever a superuser passes a check, so that
   * the class may write it down or refuse it.
   *
   * @param operation as HDFS calls it; null: unknown
   * @param subject the path that it is about, or what HDFS names in its place; null: none
   */
  void checkSuperuser(@Nullable String operation, @Nullable String subject)
      throws AccessControlException;

  /**
   * Refuses what the class was not asked for, so that it knows.
   *
   * @throws AccessControlException always
   */
  void deny(@Nullable String operation, String subject, String text) throws AccessControlException;
}
