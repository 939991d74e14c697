package io.acaciafs.fsimage.survey;

import io.acaciafs.namespace.record.InodeFeatures;

/**
 * What there is in an image.
 *
 * @param directories with the root
 * @param bytes of all files, each once
 */
public record SurveyCounts(
    long files,
    long directories,
    long symlinks,
    long blocks,
    long bytes,
    long openFiles,
    Features features) {

  /** How many inodes have what most have not. */
  public record Features(long withAcl, long withXAttrs, long withQuota, long withStoragePolicy) {
    private static final Features NONE = new Features(0, 0, 0, 0);

    private Features plus(Features other) {
      return new Features(
          withAcl + other.withAcl,
          withXAttrs + other.withXAttrs,
          withQuota + other.withQuota,
          withStoragePolicy + other.withStoragePolicy);
    }
  }

  static final SurveyCounts NONE = new SurveyCounts(0, 0, 0, 0, 0, 0, Features.NONE);
  static final SurveyCounts ONE_SYMLINK = new SurveyCounts(0, 0, 1, 0, 0, 0, Features.NONE);

  public long inodes() {
    return files + directories + symlinks;
  }

  SurveyCounts plus(SurveyCounts other) {
    return new SurveyCounts(
        files + other.files,
        directories + other.directories,
        symlinks + other.symlinks,
        blocks + other.blocks,
        bytes + other.bytes,
        openFiles + other.openFiles,
        features.plus(other.features));
  }

  static SurveyCounts ofFile(InodeFacts file) {
    return new SurveyCounts(
        1,
        0,
        0,
        file.blocks(),
        file.bytes(),
        file.isOpen() ? 1 : 0,
        new Features(file.hasAcl() ? 1 : 0, file.hasXAttrs() ? 1 : 0, 0, file.hasPolicy() ? 1 : 0));
  }

  static SurveyCounts ofDirectory(InodeFeatures features) {
    return new SurveyCounts(
        0,
        1,
        0,
        0,
        0,
        0,
        new Features(
            features.acl().isEmpty() ? 0 : 1,
            features.xattrs().isEmpty() ? 0 : 1,
            features.quota().isSet() ? 1 : 0,
            features.storagePolicyId() == 0 ? 0 : 1));
  }
}
