package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.limit.ConnectionMemory;

/** Counts the calls in flight of one connection, and their memory. For the network thread. */
final class CallsInFlight {
  private final ConnectionMemory.Share memory;
  private int count;

  CallsInFlight(ConnectionMemory.Share memory) {
    this.memory = memory;
  }

  /**
   * @param requestBytes what the call holds until it ends
   */
  void began(int requestBytes) {
    count++;
    memory.calls(requestBytes);
  }

  void ended(int requestBytes) {
    count--;
    memory.calls(-requestBytes);
  }

  int count() {
    return count;
  }
}
