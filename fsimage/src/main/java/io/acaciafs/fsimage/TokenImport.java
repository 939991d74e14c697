package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.SectionReader;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.token.CurrentKeyRow;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import io.acaciafs.namespace.token.TokenRow;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection.PersistToken;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Takes the delegation tokens of an image over with the keys of their passwords, so that those who
 * hold them may go on. The next key and the next token have higher numbers. For one thread.
 *
 * <p>Source: {@code DelegationTokenSecretManager.loadSecretManagerState}.
 */
final class TokenImport {
  private static final int ROWS_IN_TRANSACTION = 1000;

  private final ImageFile image;

  /** Writes some of the rows. */
  @FunctionalInterface
  interface Writer {
    void write(Rows rows) throws IOException;
  }

  /** Some of the rows. It may run several times. */
  @FunctionalInterface
  interface Rows {
    void putInto(Transaction transaction);
  }

  TokenImport(ImageFile image) {
    this.image = image;
  }

  /**
   * Takes all.
   *
   * @throws IOException when something makes no sense, or the store fails
   */
  void run(Writer writer) throws IOException {
    SectionName name = SectionName.SECRET_MANAGER;
    if (!image.has(name) || image.lengthBytes(name) == 0) {
      return;
    }
    try (SectionReader section = new SectionReader(image, name)) {
      SecretManagerSection header = section.header(SecretManagerSection.parser());
      Set<Integer> keys = keys(section, header.getNumKeys(), writer);
      writer.write(
          tx -> {
            if (header.getCurrentId() > 0) { // to be replaced at once
              tx.put(TokenKeys.currentKey(), new CurrentKeyRow(header.getCurrentId(), 0).encode());
            }
            long last = Integer.toUnsignedLong(header.getTokenSequenceNumber());
            IdKind.DELEGATION_TOKEN.skipTo(tx, last + 1);
          });
      for (long left = header.getNumTokens(); left > 0; left -= ROWS_IN_TRANSACTION) {
        tokens(section, (int) Math.min(left, ROWS_IN_TRANSACTION), keys, writer);
      }
    }
  }

  private Set<Integer> keys(SectionReader section, int count, Writer writer) throws IOException {
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < count; i++) {
      SecretManagerSection.DelegationKey read =
          next(section, SecretManagerSection.DelegationKey.parser());
      DelegationKey key;
      try {
        key = new DelegationKey(read.getId(), read.getExpiryDate(), read.getKey().toByteArray());
      } catch (RuntimeException e) { // too long
        throw section.senseless(e);
      }
      ids.add(key.getKeyId());
      writer.write(tx -> tx.put(TokenKeys.masterKey(key.getKeyId()), MasterKeyRow.encode(key)));
    }
    return ids;
  }

  private void tokens(SectionReader section, int count, Set<Integer> keys, Writer writer)
      throws IOException {
    PersistToken[] read = new PersistToken[count];
    for (int i = 0; i < count; i++) {
      read[i] = next(section, PersistToken.parser());
    }
    DelegationTokenIdentifier[] identifiers = new DelegationTokenIdentifier[count];
    try {
      for (int i = 0; i < count; i++) {
        identifiers[i] = identifier(read[i]);
      }
    } catch (RuntimeException e) { // a renewer that is no name
      throw section.senseless(e);
    }
    writer.write(
        tx -> {
          long taken = 0;
          for (int i = 0; i < count; i++) {
            DelegationTokenIdentifier id = identifiers[i];
            if (keys.contains(id.getMasterKeyId())) { // else nobody can show that it is his
              tx.put(
                  TokenKeys.token(id.getSequenceNumber(), id.getMasterKeyId()),
                  new TokenRow(id.getBytes(), read[i].getExpiryDate(), null).encode());
              taken++;
            }
          }
          tx.add(TokenKeys.count(), new Counters(new long[] {taken}, new long[0]));
        });
  }

  private static DelegationTokenIdentifier identifier(PersistToken token) {
    DelegationTokenIdentifier id =
        new DelegationTokenIdentifier(
            new Text(token.getOwner()),
            new Text(token.getRenewer()),
            new Text(token.getRealUser()));
    id.setIssueDate(token.getIssueDate());
    id.setMaxDate(token.getMaxDate());
    id.setSequenceNumber(token.getSequenceNumber());
    id.setMasterKeyId(token.getMasterKeyId());
    return id;
  }

  private <T> T next(SectionReader section, Parser<T> parser) throws IOException {
    @Nullable T message = section.next(parser);
    if (message == null) {
      throw image.damaged("its section " + SectionName.SECRET_MANAGER + " ends early");
    }
    return message;
  }
}
