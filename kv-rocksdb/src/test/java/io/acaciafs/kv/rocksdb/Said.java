package io.acaciafs.kv.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.acaciafs.kv.testkit.disk.DiskTrace.Op;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@link RecordedWork} has said so far. */
final class Said {
  private long inode;
  private String rest = "";
  private int maker;
  private int durable;
  private int seen;
  private final List<Integer> makers = new ArrayList<>();
  private final Map<String, Integer> folders = new LinkedHashMap<>();

  void apply(Op op) {
    if (op.type() == 'C' && op.path().equals("said")) {
      inode = op.inode();
    } else if (op.type() == 'W' && op.inode() == inode) {
      rest += new String(op.one(), US_ASCII);
      int end = rest.lastIndexOf('\n') + 1;
      rest.substring(0, end).lines().forEach(this::hear);
      rest = rest.substring(end);
    }
  }

  private void hear(String line) {
    String what = line.split(" ")[0];
    int number = Integer.parseInt(line.split(" ")[1]);
    switch (what) {
      case "maker" -> maker = number;
      case "seen" -> {
        durable = number;
        seen = maker;
        makers.subList(number, makers.size()).clear();
      }
      case "begin" -> makers.add(maker);
      case "durable" -> durable = Math.max(durable, number);
      default -> folders.put(what, number);
    }
  }

  /** The number of the last commit that has to be there. */
  int durable() {
    return durable;
  }

  /** The processes of the commits that began; the first commit has the number 1. */
  List<Integer> makers() {
    return makers;
  }

  /** The last process that has opened the store. */
  int seenBy() {
    return seen;
  }

  /** Copies and loaded stores that have to be there, with what they hold at least. */
  Map<String, Integer> folders() {
    return folders;
  }
}
