package io.acaciafs.blocks.settings;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Block tokens and data encryption keys.
 *
 * @param isEnabled whether DataNodes ask for tokens
 * @param keyUpdateMs how long a key signs before the next one does
 * @param lifetimeMs of a token, and of a data encryption key
 * @param isProtobuf whether tokens are protocol buffers, and not of HDFS's older form
 * @param encryptsData whether clients get keys for encrypted data
 * @param encryptionAlgorithm 3des or rc4; null leaves it to Java
 */
public record TokenSettings(
    boolean isEnabled,
    long keyUpdateMs,
    long lifetimeMs,
    boolean isProtobuf,
    boolean encryptsData,
    @Nullable String encryptionAlgorithm) {

  public static TokenSettings of(Configuration conf) {
    return new TokenSettings(
        conf.getBoolean(
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT),
        TimeUnit.MINUTES.toMillis(
            conf.getLong(
                DFSConfigKeys.DFS_BLOCK_ACCESS_KEY_UPDATE_INTERVAL_KEY,
                DFSConfigKeys.DFS_BLOCK_ACCESS_KEY_UPDATE_INTERVAL_DEFAULT)),
        TimeUnit.MINUTES.toMillis(
            conf.getLong(
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_LIFETIME_KEY,
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_LIFETIME_DEFAULT)),
        conf.getBoolean(
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY,
            DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_DEFAULT),
        conf.get(DFSConfigKeys.DFS_DATA_ENCRYPTION_ALGORITHM_KEY));
  }
}
