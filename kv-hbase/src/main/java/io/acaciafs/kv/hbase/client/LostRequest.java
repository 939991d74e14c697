package io.acaciafs.kv.hbase.client;

/** A request whose reply was lost, and whose result its fencing token tells. */
public interface LostRequest {
  /**
   * Revokes the token, so that the request was applied by now or never will be. Blocks.
   *
   * @param requireMember throws a {@link io.acaciafs.kv.FencedOffException} if other processes may
   *     have revoked the token
   * @throws io.acaciafs.kv.StoreException if HBase does not answer in time
   */
  boolean wasApplied(Runnable requireMember);

  /** The same for one of the request's transactions, by its number. */
  LostRequest ofTransaction(int number);
}
