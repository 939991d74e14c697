package io.acaciafs.fsimage;

import io.acaciafs.fsimage.survey.InodeBatch;
import io.acaciafs.fsimage.survey.InodeFacts;
import io.acaciafs.fsimage.survey.InodeSectionPass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/**
 * Finds the paths of a few inodes, by one more reading of all. {@link #process} is for many
 * threads.
 */
final class InodeNames implements InodeSectionPass.Work {
  private final ParentTable parents;
  private final DirectoryTable directories;
  private final Set<Long> wanted = new HashSet<>();
  private final Map<Long, String> names = new ConcurrentHashMap<>();

  InodeNames(ParentTable parents, DirectoryTable directories) {
    this.parents = parents;
    this.directories = directories;
  }

  /** Before the reading. */
  void want(long inodeId) {
    wanted.addAll(wayUp(inodeId));
  }

  /** The inode and what it is in, up to the root, which is not named. */
  private List<Long> wayUp(long inodeId) {
    List<Long> way = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    long id = inodeId;
    while (id != INodeId.ROOT_INODE_ID && seen.add(id)) {
      way.add(id);
      int directory = parents.directoryOf(id);
      if (directory == DirectoryTable.NONE) {
        break;
      }
      id = directories.idOf(directory);
    }
    return way;
  }

  @Override
  public void process(InodeBatch batch) throws IOException {
    InodeFacts facts = new InodeFacts();
    for (int i = 0; i < batch.count(); i++) {
      facts.read(batch.bytes(), batch.start(i), batch.length(i));
      if (wanted.contains(facts.id())) {
        INode inode =
            INode.parseFrom(
                CodedInputStream.newInstance(batch.bytes(), batch.start(i), batch.length(i)));
        names.put(facts.id(), inode.getName().toString(StandardCharsets.UTF_8));
      }
    }
  }

  /** After the reading. */
  String pathOf(long inodeId) {
    StringBuilder path = new StringBuilder();
    for (long id : wayUp(inodeId)) {
      path.insert(0, "/" + names.getOrDefault(id, "?"));
    }
    return path.length() == 0 ? "/" : path.toString();
  }
}
