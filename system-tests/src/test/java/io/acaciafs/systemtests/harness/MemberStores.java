package io.acaciafs.systemtests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namenode.store.StoreTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stores of the NameNodes of an {@link HaCluster}, row by row. Stateless. */
public final class MemberStores {
  private static final int MOST_DIFFERENCES = 20;
  private static final int ATTEMPTS = 5;

  /** The file by which a store knows that it is a member's. */
  private static final String MARK = "RAFT";

  private MemberStores() {}

  /**
   * Ends the NameNodes, which do not start any more.
   *
   * @return where their rows are not the same, and what is damaged
   */
  public static List<String> faults(HaCluster cluster) throws Exception {
    List<Path> folders = new ArrayList<>();
    for (int member = 0; member < cluster.size(); member++) {
      folders.add(cluster.nameFolder(member));
    }
    endAtOnePosition(cluster, folders);
    leaveGroup(folders);
    List<String> faults = new ArrayList<>();
    for (int member = 0; member < cluster.size(); member++) {
      faults.addAll(differences(folders.get(0), folders.get(member)));
      faults.addAll(StoreReport.damage(cluster.site(member)));
    }
    return faults;
  }

  /** A NameNode's own work can write something between the ends of two. */
  private static void endAtOnePosition(HaCluster cluster, List<Path> folders) throws Exception {
    List<Long> positions = new ArrayList<>();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      positions.clear();
      cluster.startEnded();
      cluster.awaitFollowers();
      cluster.terminate();
      for (Path folder : folders) {
        positions.add(position(folder));
      }
      if (positions.stream().distinct().count() == 1) {
        return;
      }
    }
    throw new AssertionError("NameNodes that stand by lack what the leader has: " + positions);
  }

  private static Path store(Path nameFolder) {
    return nameFolder.resolve("current/store");
  }

  /** How many batches of the group's log a store holds. */
  private static long position(Path nameFolder) throws IOException {
    String mark = Files.readString(store(nameFolder).resolve(MARK), UTF_8);
    return Long.parseLong(mark.split(" ")[0]);
  }

  /** Makes them stores of a NameNode alone, as which they are read; they do not start any more. */
  private static void leaveGroup(List<Path> nameFolders) throws IOException {
    for (Path nameFolder : nameFolders) {
      Files.delete(store(nameFolder).resolve(MARK));
    }
  }

  /** Where the rows of two stores are not the same. */
  private static List<String> differences(Path one, Path other) {
    List<String> found = new ArrayList<>();
    Map<String, String> rows = rows(one);
    Map<String, String> others = rows(other);
    rows.forEach(
        (key, value) -> {
          String there = others.remove(key);
          if (!value.equals(there)) {
            found.add(key + " = " + value + " in " + one + ", " + there + " in " + other);
          }
        });
    others.forEach((key, value) -> found.add(key + " = " + value + " is in " + other + " alone"));
    return found.subList(0, Math.min(found.size(), MOST_DIFFERENCES));
  }

  private static Map<String, String> rows(Path nameFolder) {
    Map<String, String> rows = new TreeMap<>();
    try (RocksDbStore store =
        RocksDbStore.open(store(nameFolder), StoreTables.all(), RocksDbOptions.defaults())) {
      for (Table table : StoreTables.all()) {
        if (table.isPassing()) {
          continue; // each forgets them when it gets to it
        }
        try (Scan scan = store.scan(KeyRange.ofTable(table))) {
          while (scan.hasNext()) {
            Row row = scan.next();
            rows.put(
                table.name() + " " + HexFormat.of().formatHex(row.key().bytes()),
                HexFormat.of().formatHex(row.value()));
          }
        }
      }
    }
    return rows;
  }
}
