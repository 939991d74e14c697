package io.acaciafs.namespace.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.DelegationTokenRecord;
import io.acaciafs.namespace.proto.TokenCancellationRecord;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * A delegation token that somebody holds. Its password is not stored: the key makes it of the
 * identifier.
 *
 * @param identifier as {@link DelegationTokenIdentifier} writes itself
 * @param renewDateMs it is valid until then, in ms since the epoch
 * @param cancellation null: it was not cancelled
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
public record TokenRow(byte[] identifier, long renewDateMs, @Nullable Cancellation cancellation) {

  /**
   * Which call has cancelled it: the row stays for as long as a call may be repeated.
   *
   * @param timeMs when, since the epoch
   * @param clientId of the call; empty where it cannot be repeated
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by isOf
  public record Cancellation(long timeMs, byte[] clientId, int callId) {

    /** Whether a call is the one that has cancelled the token, or its repetition. */
    public boolean isBy(byte[] client, int call) {
      return clientId.length > 0 && call >= 0 && callId == call && Arrays.equals(clientId, client);
    }
  }

  /** Whether it is the row of this very token, and not of another one with the same numbers. */
  public boolean isOf(DelegationTokenIdentifier id) {
    return Arrays.equals(identifier, id.getBytes());
  }

  public TokenRow renewedUntil(long dateMs) {
    return new TokenRow(identifier, dateMs, cancellation);
  }

  public TokenRow cancelled(Cancellation by) {
    return new TokenRow(identifier, renewDateMs, by);
  }

  /** What the identifier says. */
  public DelegationTokenIdentifier readIdentifier() {
    try {
      return TokenIdentifiers.read(identifier);
    } catch (IOException e) {
      throw new StoreException("Not the identifier of a delegation token", e);
    }
  }

  public byte[] encode() {
    DelegationTokenRecord.Builder row =
        DelegationTokenRecord.newBuilder()
            .setIdentifier(ByteString.copyFrom(identifier))
            .setRenewDateMs(renewDateMs);
    if (cancellation != null) {
      row.setCancellation(
          TokenCancellationRecord.newBuilder()
              .setTimeMs(cancellation.timeMs())
              .setClientId(ByteString.copyFrom(cancellation.clientId()))
              .setCallId(cancellation.callId()));
    }
    return row.build().toByteArray();
  }

  public static TokenRow decode(byte[] row) {
    try {
      DelegationTokenRecord token = DelegationTokenRecord.parseFrom(row);
      TokenCancellationRecord cancellation = token.getCancellation();
      return new TokenRow(
          token.getIdentifier().toByteArray(),
          token.getRenewDateMs(),
          token.hasCancellation()
              ? new Cancellation(
                  cancellation.getTimeMs(),
                  cancellation.getClientId().toByteArray(),
                  cancellation.getCallId())
              : null);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not the row of a delegation token", e);
    }
  }
}
