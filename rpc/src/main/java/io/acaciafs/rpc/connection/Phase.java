package io.acaciafs.rpc.connection;

/** Where a connection is in the protocol. */
enum Phase {
  /** The client has to send the preamble. */
  PREAMBLE(true),
  /** The client has to negotiate the authentication. */
  NEGOTIATION(true),
  /** A worker judges what the client sent to authenticate; no request is processed meanwhile. */
  AUTHENTICATION(false),
  /** The client has to name its user and protocol: the connection context. */
  CONTEXT(true),
  /** A worker authorizes the user; no request is processed meanwhile. */
  AUTHORIZATION(false),
  /** The client sends calls. */
  CALLS(true),
  /** The server closes: it reads no more requests, and answers the calls in flight. */
  DRAINING(false),
  /** The client was told why the connection ends; what it still sends is dropped. */
  CLOSING(false);

  private final boolean processesRequests;

  Phase(boolean processesRequests) {
    this.processesRequests = processesRequests;
  }

  boolean processesRequests() {
    return processesRequests;
  }

  /** Whether requests may come, to be processed now or later. */
  boolean isOpen() {
    return this != DRAINING && this != CLOSING;
  }

  /** Whether the server waits for the client to name its user. */
  boolean awaitsUser() {
    return this == PREAMBLE || this == NEGOTIATION || this == AUTHENTICATION || this == CONTEXT;
  }
}
