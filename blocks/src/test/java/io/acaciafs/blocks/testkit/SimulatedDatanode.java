package io.acaciafs.blocks.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;

/**
 * A DataNode with a disk: it keeps replicas as Hadoop's does, and owes the NameNode the word of
 * what it received or deleted until it is told, or dies. Whoever drives it says when it speaks.
 */
public final class SimulatedDatanode {
  /** What is on the disk. The bytes are letters, so that wrong ones are seen. */
  public static final class Replica {
    private long generationStamp;
    private String bytes;
    private ReplicaState state;

    /** Of a recovery that it takes part in: nobody may write it on; 0 for none. */
    private long recoveryId;

    Replica(long generationStamp, String bytes, ReplicaState state) {
      this.generationStamp = generationStamp;
      this.bytes = bytes;
      this.state = state;
    }

    public long generationStamp() {
      return generationStamp;
    }

    public String bytes() {
      return bytes;
    }

    public ReplicaState state() {
      return state;
    }

    @Override
    public String toString() {
      return state + "/" + generationStamp + "/" + bytes;
    }
  }

  /** What it still has to say. */
  record Word(boolean received, Block block) {}

  private final FakeDatanode api;
  private final Map<Long, Replica> disk = new TreeMap<>();
  private final List<Word> words = new ArrayList<>();
  private boolean up = true;
  private boolean owesReport;

  public SimulatedDatanode(FakeDatanode api) {
    this.api = api;
  }

  public FakeDatanode api() {
    return api;
  }

  public boolean isUp() {
    return up;
  }

  public boolean owesReport() {
    return owesReport;
  }

  public Map<Long, Replica> disk() {
    return disk;
  }

  List<Word> words() {
    return words;
  }

  /** The replica if it can be written on with this stamp; else null. */
  public Replica writable(long blockId, long generationStamp) {
    Replica replica = up ? disk.get(blockId) : null;
    return replica != null
            && replica.state == ReplicaState.RBW
            && replica.recoveryId == 0
            && replica.generationStamp == generationStamp
        ? replica
        : null;
  }

  /** False where it has a replica of this block already. */
  public boolean create(long blockId, long generationStamp, String bytes, ReplicaState state) {
    boolean isNew =
        up && disk.putIfAbsent(blockId, new Replica(generationStamp, bytes, state)) == null;
    if (isNew && state == ReplicaState.FINALIZED) {
      sayReceived(blockId);
    }
    return isNew;
  }

  public void write(Replica replica, String more) {
    replica.bytes += more;
  }

  /** The pipeline is built anew, or a finalized replica is appended to. */
  public void restamp(Replica replica, long generationStamp) {
    replica.generationStamp = generationStamp;
    replica.state = ReplicaState.RBW;
  }

  public void finish(long blockId) {
    disk.get(blockId).state = ReplicaState.FINALIZED;
    sayReceived(blockId);
  }

  /** Deletes what has this very stamp. */
  public void delete(Block block) {
    Replica replica = disk.get(block.getBlockId());
    if (replica != null && replica.generationStamp == block.getGenerationStamp()) {
      disk.remove(block.getBlockId());
      words.add(new Word(false, new Block(block)));
    }
  }

  /** Begins to take part in a recovery; null where it has nothing of use. */
  public Replica beginRecovery(Block block, long recoveryId) {
    Replica replica = up ? disk.get(block.getBlockId()) : null;
    if (replica == null
        || replica.generationStamp < block.getGenerationStamp()
        || replica.generationStamp >= recoveryId
        || replica.recoveryId >= recoveryId
        || replica.bytes.isEmpty()) {
      return null;
    }
    replica.recoveryId = recoveryId;
    return replica;
  }

  public void endRecovery(long blockId, long recoveryId, int lengthBytes) {
    Replica replica = disk.get(blockId);
    replica.generationStamp = recoveryId;
    replica.bytes = replica.bytes.substring(0, lengthBytes);
    replica.state = ReplicaState.FINALIZED;
    replica.recoveryId = 0;
    sayReceived(blockId);
  }

  /**
   * Ends a recovery that leaves the replica as it is, and copies its beginning to another block.
   */
  public void copyInRecovery(long blockId, long copyId, long recoveryId, int lengthBytes) {
    Replica replica = disk.get(blockId);
    replica.state = ReplicaState.FINALIZED;
    replica.recoveryId = 0;
    create(copyId, recoveryId, replica.bytes.substring(0, lengthBytes), ReplicaState.FINALIZED);
  }

  public void die() {
    up = false;
    words.clear();
  }

  /** The process is there again; what was being written waits to be recovered. */
  public void comeBack() {
    up = true;
    owesReport = true;
    words.clear();
    for (Replica replica : disk.values()) {
      replica.recoveryId = 0;
      replica.state = replica.state == ReplicaState.RBW ? ReplicaState.RWR : replica.state;
    }
  }

  /** Tells all that there is to be told. */
  public void speak() {
    for (Word word : words) {
      if (word.received()) {
        api.received(word.block());
      } else {
        api.deleted(word.block());
      }
    }
    words.clear();
  }

  public void report() {
    api.report(
        0,
        disk.entrySet().stream()
            .map(entry -> FakeDatanode.replica(described(entry.getKey()), entry.getValue().state))
            .toList());
    owesReport = false;
  }

  private void sayReceived(long blockId) {
    words.removeIf(word -> word.received() && word.block().getBlockId() == blockId);
    words.add(new Word(true, described(blockId)));
  }

  private Block described(long blockId) {
    Replica replica = disk.get(blockId);
    return new Block(blockId, replica.bytes.length(), replica.generationStamp);
  }

  @Override
  public String toString() {
    return api.uuid() + (up ? " up " : " down ") + disk;
  }
}
