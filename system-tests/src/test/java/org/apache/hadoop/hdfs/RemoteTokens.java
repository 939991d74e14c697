package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * The delegation tokens of a NameNode in a process of its own, by the calls of the users that a
 * test names. Stateless.
 */
final class RemoteTokens extends DelegationTokenSecretManager {
  private static final byte[] WRONG_PASSWORD = {1};

  private final URI nameNode;
  private final Configuration conf;

  RemoteTokens(URI nameNode, Configuration conf) {
    super(1, 1, 1, 1, null);
    this.nameNode = nameNode;
    this.conf = conf;
  }

  @FunctionalInterface
  private interface Call<T> {
    T of(DFSClient client) throws IOException;
  }

  private <T> T as(UserGroupInformation user, Call<T> call) throws IOException {
    try {
      return user.doAs(
          (PrivilegedExceptionAction<T>)
              () -> {
                try (DFSClient client = new DFSClient(nameNode, conf)) {
                  return call.of(client);
                }
              });
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Has the owner get the token that the test wants to have made. */
  @Override
  protected byte[] createPassword(DelegationTokenIdentifier identifier) {
    try {
      UserGroupInformation owner =
          UserGroupInformation.createRemoteUser(identifier.getOwner().toString());
      Token<DelegationTokenIdentifier> token =
          as(owner, client -> client.getDelegationToken(new Text(identifier.getRenewer())));
      DelegationTokenIdentifier made = token.decodeIdentifier();
      identifier.setIssueDate(made.getIssueDate());
      identifier.setMaxDate(made.getMaxDate());
      identifier.setSequenceNumber(made.getSequenceNumber());
      identifier.setMasterKeyId(made.getMasterKeyId());
      return token.getPassword();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the NameNode takes the token for valid, by its answer to a wrong password.
   *
   * @return a password, though not the token's
   */
  @Override
  public byte[] retrievePassword(DelegationTokenIdentifier identifier) throws InvalidToken {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("holder");
    Text service = new Text(nameNode.getAuthority());
    holder.addToken(
        new Token<>(identifier.getBytes(), WRONG_PASSWORD, identifier.getKind(), service));
    try {
      as(holder, client -> client.getFileInfo("/"));
    } catch (InvalidToken e) {
      throw e;
    } catch (IOException e) {
      return WRONG_PASSWORD;
    }
    throw new IllegalStateException("A wrong password was taken");
  }

  @Override
  public long renewToken(Token<DelegationTokenIdentifier> token, String renewer)
      throws IOException {
    return as(
        UserGroupInformation.createRemoteUser(renewer),
        client -> client.getNamenode().renewDelegationToken(token));
  }

  @Override
  public DelegationTokenIdentifier cancelToken(
      Token<DelegationTokenIdentifier> token, String canceller) throws IOException {
    return as(
        UserGroupInformation.createRemoteUser(canceller),
        client -> {
          client.getNamenode().cancelDelegationToken(token);
          return token.decodeIdentifier();
        });
  }
}
