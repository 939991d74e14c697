package io.acaciafs.blocks.token;

import javax.crypto.SecretKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.SecretManager;

/**
 * Makes keys as Hadoop makes them, by hadoop.security.secret-manager.key-generator.algorithm and
 * .key-length. Safe for use by many threads.
 */
public final class NewSecrets extends SecretManager<BlockTokenIdentifier> {
  public SecretKey next() {
    return generateSecret();
  }

  @Override
  protected byte[] createPassword(BlockTokenIdentifier identifier) {
    throw new UnsupportedOperationException("It makes keys only");
  }

  @Override
  public byte[] retrievePassword(BlockTokenIdentifier identifier) {
    throw new UnsupportedOperationException("It makes keys only");
  }

  @Override
  public BlockTokenIdentifier createIdentifier() {
    return new BlockTokenIdentifier();
  }
}
