package io.acaciafs.fsimage.format;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Who the cluster of an image is. An image says only the namespace's id; the rest stands in
 * VERSION, beside the image in a name directory.
 */
public final class ImageIdentity {
  private ImageIdentity() {}

  /** Where VERSION lies in a name directory. */
  public static Path versionBeside(Path image) {
    return image.toAbsolutePath().resolveSibling("VERSION");
  }

  /**
   * @param namespaceId that the image says
   * @throws IOException when there is no such file, or it is another cluster's
   */
  public static ClusterIdentity read(Path version, int namespaceId) throws IOException {
    if (!Files.isRegularFile(version)) {
      throw new IOException(
          "There is no "
              + version
              + ", which says to which cluster the image belongs. Copy it from the current folder of"
              + " dfs.namenode.name.dir, and name it by --version-file");
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(version)) {
      properties.load(in);
    } catch (IllegalArgumentException e) {
      throw new IOException("The file " + version + " is damaged", e);
    }
    ClusterIdentity identity =
        new ClusterIdentity(
            (int) number(version, properties, "namespaceID"),
            required(version, properties, "clusterID"),
            required(version, properties, "blockpoolID"),
            number(version, properties, "cTime"));
    if (identity.namespaceId() != namespaceId) {
      throw new IOException(
          "The image is of namespace "
              + namespaceId
              + ", but "
              + version
              + " of namespace "
              + identity.namespaceId()
              + ": they belong to two clusters");
    }
    return identity;
  }

  private static long number(Path version, Properties properties, String key) throws IOException {
    try {
      return Long.parseLong(required(version, properties, key));
    } catch (NumberFormatException e) {
      throw new IOException("The file " + version + " has no number for " + key, e);
    }
  }

  private static String required(Path version, Properties properties, String key)
      throws IOException {
    String value = properties.getProperty(key);
    if (value == null || value.isBlank()) {
      throw new IOException("The file " + version + " lacks " + key);
    }
    return value.strip();
  }
}
