package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.SectionWriter;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.token.CurrentKeyRow;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import io.acaciafs.namespace.token.TokenRow;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection.PersistToken;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Writes the delegation tokens of a store into an image, with the keys of their passwords; not
 * those that were cancelled. For one thread.
 *
 * <p>Source: {@code DelegationTokenSecretManager.saveSecretManagerState}.
 */
final class TokenExport {
  private final Reader store;

  TokenExport(Reader store) {
    this.store = store;
  }

  /** The counts come first, so rows are read twice. */
  void run(SectionWriter out) throws IOException {
    byte[] current = store.get(TokenKeys.currentKey());
    SecretManagerSection.Builder header =
        SecretManagerSection.newBuilder()
            .setCurrentId(current == null ? 0 : CurrentKeyRow.decode(current).id())
            .setTokenSequenceNumber((int) (IdKind.DELEGATION_TOKEN.peekNext(store) - 1))
            .setNumKeys(0)
            .setNumTokens(0);
    forEachKey(key -> header.setNumKeys(header.getNumKeys() + 1));
    forEachToken(token -> header.setNumTokens(header.getNumTokens() + 1));
    out.write(header.build());
    forEachKey(key -> out.write(message(key)));
    forEachToken(token -> out.write(message(token)));
  }

  /** Takes one after the other. */
  @FunctionalInterface
  private interface Taker<T> {
    void take(T each) throws IOException;
  }

  private void forEachKey(Taker<DelegationKey> taker) throws IOException {
    try (Scan rows = store.scan(TokenKeys.masterKeys())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        taker.take(MasterKeyRow.decode(TokenKeys.masterKeyId(row.key()), row.value()));
      }
    }
  }

  private void forEachToken(Taker<TokenRow> taker) throws IOException {
    try (Scan rows = store.scan(TokenKeys.tokens())) {
      while (rows.hasNext()) {
        TokenRow token = TokenRow.decode(rows.next().value());
        if (token.cancellation() == null) {
          taker.take(token);
        }
      }
    }
  }

  private static SecretManagerSection.DelegationKey message(DelegationKey key) {
    SecretManagerSection.DelegationKey.Builder message =
        SecretManagerSection.DelegationKey.newBuilder()
            .setId(key.getKeyId())
            .setExpiryDate(key.getExpiryDate());
    byte[] secret = key.getEncodedKey();
    if (secret != null) {
      message.setKey(ByteString.copyFrom(secret));
    }
    return message.build();
  }

  private static PersistToken message(TokenRow token) {
    DelegationTokenIdentifier id = token.readIdentifier();
    return PersistToken.newBuilder()
        .setOwner(id.getOwner().toString())
        .setRenewer(id.getRenewer().toString())
        .setRealUser(id.getRealUser().toString())
        .setIssueDate(id.getIssueDate())
        .setMaxDate(id.getMaxDate())
        .setSequenceNumber(id.getSequenceNumber())
        .setMasterKeyId(id.getMasterKeyId())
        .setExpiryDate(token.renewDateMs())
        .build();
  }
}
