package io.acaciafs.bench.load;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.namespace.record.IdKind;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Where the blocks of loaded files lie. As many DataNodes as a file has replicas are a group, and
 * files go to the groups in turn, so that the blocks of a DataNode are all over the table of
 * blocks, as those of a real one are. DataNodes that are left over have none. Immutable.
 *
 * @param files all, empty ones too
 * @param replication of each, at most as many as there are DataNodes
 */
public record LoadedReplicas(long files, int datanodes, int replication) {

  public LoadedReplicas {
    if (replication < 1 || datanodes < replication) {
      throw new IllegalArgumentException(replication + " replicas on " + datanodes + " DataNodes");
    }
  }

  int groups() {
    return datanodes / replication;
  }

  /**
   * Those that hold a file.
   *
   * @param all one for each DataNode
   */
  <T> List<T> of(long file, List<T> all) {
    int first = (int) (file % groups()) * replication;
    return all.subList(first, first + replication);
  }

  /**
   * The files, not empty, that a DataNode holds, ascending.
   *
   * @param from a multiple of the number of groups
   */
  LongStream filesOf(int datanode, long from, long end) {
    int group = datanode / replication;
    long limit = group < groups() ? Math.min(end, files) : from;
    return LongStream.iterate(from + group, file -> file < limit, file -> file + groups())
        .filter(file -> FileSizes.lengthBytes(file) > 0);
  }

  /**
   * The blocks that a DataNode holds, where they were the first of the file system.
   *
   * @param datanode from 0
   */
  public Stream<Block> blocksOf(int datanode) {
    return filesOf(datanode, 0, files)
        .mapToObj(
            file ->
                new Block(
                    IdKind.BLOCK.first() + file,
                    FileSizes.lengthBytes(file),
                    LoadedBlocks.GENERATION_STAMP));
  }
}
