package io.acaciafs.rpc.protocol;

/**
 * Numbers the states of the data that a server answers from, for clients that read from several
 * servers and must not go back in time: each reply tells the last one, and each call what its
 * client has seen. Called on network threads, so it is quick and never waits.
 *
 * <p>Source: HDFS 3.5's AlignmentContext.
 */
public interface StateIds {
  /** Nobody asks. */
  StateIds NONE =
      new StateIds() {
        @Override
        public long last() {
          return 0;
        }

        @Override
        public boolean covers(RpcCall call) {
          return true;
        }
      };

  /** At least the state that each reply rests on that is sent from now on; 0: not told. */
  long last();

  /** Whether this server may answer a call with a reply that it has kept. */
  boolean covers(RpcCall call);
}
