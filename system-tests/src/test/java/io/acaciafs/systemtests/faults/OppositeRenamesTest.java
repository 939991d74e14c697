package io.acaciafs.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.TableWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories are moved into each other, in rings of two and three, at the same time through
 * different NameNodes: never does a loop come about, and nothing below them is lost.
 */
@Tag("long")
class OppositeRenamesTest {
  private static final Logger LOG = LoggerFactory.getLogger(OppositeRenamesTest.class);
  private static final int ROUNDS = Integer.getInteger("acacia.rename-rounds", 400);
  private static final int NAME_NODES = 4;
  private static final int RINGS = 4;
  private static final long LIMIT_MINUTES = 30;

  private final long seed = Long.getLong("acacia.seed", System.nanoTime());
  private final List<FileSystem> clients = new ArrayList<>();

  @Test
  void neitherLoopsNorLosses() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Map<String, String> settings = Map.of("acacia.store.hbase.regions", "4");
    // each ring has threads of its own, which wait for each other
    ExecutorService threads = Executors.newFixedThreadPool(RINGS * 4);
    try (SharedStore store = new SharedStore("renames", NAME_NODES, settings)) {
      for (int i = 0; i < NAME_NODES; i++) {
        clients.add(store.clientOf(i));
      }
      List<Future<int[]>> rings = new ArrayList<>();
      for (int i = 0; i < RINGS; i++) {
        int ring = i;
        rings.add(threads.submit(() -> turn(threads, "/rings/" + ring, new Random(seed + ring))));
      }
      int[] succeeded = new int[4];
      for (Future<int[]> ring : rings) {
        int[] counts = ring.get(LIMIT_MINUTES, TimeUnit.MINUTES);
        add(succeeded, counts);
      }
      TableWalk.Result walked = TableWalk.of(store.hbase().zooKeeper());
      LOG.info(
          "Rings turned seed={} rounds={} succeededByRound={} paths={}",
          seed,
          ROUNDS,
          Arrays.toString(succeeded),
          walked.paths().size());
      assertThat(walked.wrong()).as("seed %s", seed).isEmpty();
      assertThat(walked.paths()).as("seed %s", seed).containsExactlyElementsOf(expected());
      for (FileSystem client : clients) {
        client.close();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void add(int[] sums, int[] added) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += added[i];
    }
  }

  private static Set<String> expected() {
    Set<String> paths = new TreeSet<>(Set.of("/rings"));
    for (int ring = 0; ring < RINGS; ring++) {
      String top = "/rings/" + ring;
      paths.add(top);
      for (String name : List.of("a", "b", "c")) {
        paths.addAll(
            List.of(
                top + "/" + name,
                top + "/" + name + "/d",
                top + "/" + name + "/d/" + name + "-file"));
      }
    }
    return paths;
  }

  /** How many rounds there were in which none, one or more renames succeeded. */
  private int[] turn(ExecutorService threads, String top, Random random) throws Exception {
    for (String name : List.of("a", "b", "c")) {
      clients.get(0).create(new Path(top, name + "/d/" + name + "-file")).close();
    }
    int[] counts = new int[4];
    for (int round = 0; round < ROUNDS / RINGS; round++) {
      List<String> names = new ArrayList<>(List.of("a", "b", "c"));
      Collections.shuffle(names, random);
      names = names.subList(0, 2 + random.nextInt(2));
      List<Integer> nameNodes = IntStream.range(0, NAME_NODES).boxed().collect(Collectors.toList());
      Collections.shuffle(nameNodes, random);
      List<Callable<Boolean>> renames = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        String moved = names.get(i);
        String into = names.get((i + 1) % names.size());
        String below = random.nextBoolean() ? "/d/" : "/";
        FileSystem client = clients.get(nameNodes.get(i));
        renames.add(() -> move(client, top + "/" + moved, top + "/" + into + below + moved));
      }
      int succeeded = 0;
      for (Future<Boolean> rename : threads.invokeAll(renames)) {
        succeeded += rename.get() ? 1 : 0;
      }
      counts[succeeded]++;
      assertThat(succeeded).as("renames of a ring that succeed").isBetween(0, names.size() - 1);
      flatten(clients.get(nameNodes.get(NAME_NODES - 1)), top);
    }
    return counts;
  }

  private static boolean move(FileSystem client, String from, String to) throws IOException {
    try {
      return client.rename(new Path(from), new Path(to));
    } catch (FileNotFoundException e) {
      return false; // was moved away before
    }
  }

  /** Moves all back, after it was seen that all are there. */
  private static void flatten(FileSystem client, String top) throws IOException {
    Set<String> files = new TreeSet<>();
    for (RemoteIterator<LocatedFileStatus> all = client.listFiles(new Path(top), true);
        all.hasNext(); ) {
      files.add(all.next().getPath().toUri().getPath());
    }
    assertThat(files.stream().map(file -> new Path(file).getName()))
        .as("files of " + files)
        .containsExactlyInAnyOrder("a-file", "b-file", "c-file");
    for (String file : files) {
      // .../a/d/a-file
      Path directory = new Path(file).getParent().getParent();
      if (directory.depth() > new Path(top).depth() + 1) {
        moveUp(client, top, directory.getName());
      }
    }
  }

  private static void moveUp(FileSystem client, String top, String name) throws IOException {
    for (RemoteIterator<LocatedFileStatus> all = client.listFiles(new Path(top), true);
        all.hasNext(); ) {
      Path file = all.next().getPath();
      if (file.getName().equals(name + "-file")) {
        Path now = file.getParent().getParent();
        assertThat(client.rename(now, new Path(top, name))).as("move up " + now).isTrue();
        return;
      }
    }
    throw new AssertionError("no " + name + " below " + top);
  }
}
