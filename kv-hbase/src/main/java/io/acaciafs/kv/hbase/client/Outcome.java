package io.acaciafs.kv.hbase.client;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What became of a conditional request that was sent once. */
public sealed interface Outcome {
  /**
   * All conditions held, and everything is written and durable, but for what transactions of the
   * request would have written that were refused.
   *
   * @param refused these, by their numbers; not to be changed
   */
  record Applied(BitSet refused) implements Outcome {}

  /** A condition did not hold; nothing is written. */
  record Refused() implements Outcome {}

  /** No region served it, so nothing is written; regions may have moved. */
  record NotServed(@Nullable Throwable cause) implements Outcome {}

  /**
   * Not known; HBase may even apply it later.
   *
   * @param lost by which it can be found out; null where nothing was shown with the request
   */
  record Unknown(Throwable cause, @Nullable LostRequest lost) implements Outcome {}

  Applied APPLIED = new Applied(new BitSet(0));
  Refused REFUSED = new Refused();
}
