package io.acaciafs.fsimage.format;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary.Section;

/**
 * The parts of a large section that a NameNode may load side by side. Parts end where directories
 * do, so no two loaders meet in one. For one thread.
 */
public final class SectionParts {
  /** HDFS's dfs.image.parallel.inode.threshold: from then on an image has parts. */
  private static final long INODES_IN_PART = 1_000_000;

  private final List<Long> ends;
  private final long start;
  private long inodesBefore;

  public SectionParts(long start) {
    this(start, new ArrayList<>());
  }

  private SectionParts(long start, List<Long> ends) {
    this.start = start;
    this.ends = ends;
  }

  /** So far so many inodes were written in all. */
  public void mayEndPart(long inodes, long position) {
    if (inodes - inodesBefore >= INODES_IN_PART) {
      inodesBefore = inodes;
      add(position);
    }
  }

  public void end(long position) {
    add(position);
  }

  private void add(long position) {
    if (ends.isEmpty() || position > ends.get(ends.size() - 1)) {
      ends.add(position);
    }
  }

  /** The same in a file where it begins elsewhere. */
  public SectionParts shiftedBy(long bytes) {
    return new SectionParts(start + bytes, ends.stream().map(end -> end + bytes).toList());
  }

  public void addTo(FileSummary.Builder summary, SectionName name, SectionName partName) {
    long from = start;
    if (ends.size() > 1) {
      for (long end : ends) {
        summary.addSections(section(partName, from, end));
        from = end;
      }
    }
    summary.addSections(section(name, start, ends.get(ends.size() - 1)));
  }

  private static Section section(SectionName name, long from, long end) {
    return Section.newBuilder().setName(name.name()).setOffset(from).setLength(end - from).build();
  }
}
