package io.acaciafs.tools.image;

import io.acaciafs.fsimage.ImageReport;
import io.acaciafs.fsimage.survey.SurveyCounts;
import java.util.List;
import java.util.Locale;

/** A report on an image for people. Stateless. */
final class ImageReportText {
  private ImageReportText() {}

  /** Lines, the last one ended as well. */
  static String of(ImageReport report) {
    StringBuilder text = new StringBuilder();
    SurveyCounts counts = report.counts();
    line(text, "inodes", counts.inodes());
    line(text, "files", counts.files());
    line(text, "directories", counts.directories());
    line(text, "symbolic links", counts.symlinks());
    line(text, "blocks", counts.blocks());
    line(text, "bytes", counts.bytes());
    line(text, "open files", counts.openFiles());
    line(text, "with an ACL", counts.features().withAcl());
    line(text, "with extended attributes", counts.features().withXAttrs());
    line(text, "with a quota", counts.features().withQuota());
    line(text, "with a storage policy", counts.features().withStoragePolicy());
    line(text, "snapshots", report.snapshots());
    if (!report.isVerified()) {
      text.append("The image was not compared with a checksum.\n");
    }
    report.notes().forEach(note -> text.append("Not taken: ").append(note).append('\n'));
    report
        .refused()
        .forEach(
            (refusal, count) -> {
              text.append(
                  String.format(Locale.ROOT, "Cannot be taken: %,d %s%n", count, refusal.words()));
              List<String> paths = report.paths().getOrDefault(refusal, List.of());
              paths.forEach(path -> text.append("  ").append(path).append('\n'));
              if (paths.size() < count) {
                text.append("  ...\n");
              }
            });
    return text.toString();
  }

  private static void line(StringBuilder text, String what, long count) {
    text.append(String.format(Locale.ROOT, "%-25s %,15d%n", what, count));
  }
}
