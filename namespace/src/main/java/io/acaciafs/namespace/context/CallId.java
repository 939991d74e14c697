package io.acaciafs.namespace.context;

/**
 * What makes a call of a client recognisable when it comes again, to this NameNode or another.
 *
 * @param clientId 16 bytes that name the client
 * @param callId one number for all attempts of a call
 * @param retryCount 0 for the first attempt; -1 where the client does not say
 */
public record CallId(byte[] clientId, int callId, int retryCount) {
  public static final int CLIENT_ID_LENGTH = 16;

  public CallId {
    if (clientId.length != CLIENT_ID_LENGTH) {
      throw new IllegalArgumentException("A client id has 16 bytes: " + clientId.length);
    }
  }
}
