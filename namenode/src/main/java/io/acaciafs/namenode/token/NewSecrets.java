package io.acaciafs.namenode.token;

import javax.crypto.SecretKey;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.SecretManager;

/**
 * Makes keys as Hadoop makes them, with the algorithm and the length of {@code
 * hadoop.security.secret-manager.key-generator.algorithm} and {@code .key-length}. Safe for use by
 * many threads.
 */
final class NewSecrets extends SecretManager<DelegationTokenIdentifier> {

  SecretKey next() {
    return generateSecret();
  }

  @Override
  public DelegationTokenIdentifier createIdentifier() {
    return new DelegationTokenIdentifier();
  }

  @Override
  protected byte[] createPassword(DelegationTokenIdentifier identifier) {
    throw new UnsupportedOperationException("It knows no keys");
  }

  @Override
  public byte[] retrievePassword(DelegationTokenIdentifier identifier) {
    throw new UnsupportedOperationException("It knows no tokens");
  }
}
