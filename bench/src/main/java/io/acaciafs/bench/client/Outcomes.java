package io.acaciafs.bench.client;

/** Is told what becomes of operations. For one network thread. */
interface Outcomes {
  void succeeded(long latencyNanos);

  /**
   * @param kind class of the exception
   */
  void failed(String kind, String message);
}
