package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes the benchmarks. What they read lies in a folder whose name says how much there is, and
 * stays as it is; what they change lies in a folder of each run.
 */
public final class Workloads {
  private static final String READY = "/ready";

  private final Sizes sizes;
  private final long seed;
  private final @Nullable Replicas replicas;
  private final Layout read;
  private final String readRoot;
  private final String runRoot;

  /**
   * @param root an absolute path without a slash at its end
   * @param run part of the name of what this run changes
   * @param replicas hold a block of each file to read; null: those are empty
   */
  public Workloads(String root, String run, Sizes sizes, long seed, @Nullable Replicas replicas) {
    this.sizes = sizes;
    this.seed = seed;
    this.replicas = replicas;
    readRoot =
        root
            + ("/files-" + sizes.directories() + "-" + sizes.depth())
            + ("-" + sizes.filesPerDirectory() + (replicas == null ? "" : "-blocks"));
    read = new Layout(readRoot, sizes.directories(), sizes.depth());
    runRoot = root + "/" + run;
  }

  /** What must be there for all benchmarks that read; once for all of them. */
  public List<Stage> filesToRead() {
    return List.of(
        directories(read),
        Stage.whole(
            "files to read",
            (slot, slots) -> {
              FileNames names = numbered(read, filesToReadCount(), slot, slots);
              return replicas == null
                  ? new WriteFiles(names)
                  : new WriteFilesWithBlock(names, replicas);
            }));
  }

  private int filesToReadCount() {
    return sizes.directories() * sizes.filesPerDirectory();
  }

  /** Whether the benchmark wants {@link #filesToRead}. */
  public static boolean reads(Operation operation) {
    return switch (operation) {
      case STAT, OPEN, LIST, LIST_PAGES, MIX, LIST_STATUS -> true;
      case CREATE, MKDIR, RENAME, DELETE, CREATE_DELETE, CREATE_WRITE, OPEN_READ, METARATES ->
          false;
    };
  }

  /** A benchmark; its preparation has what it changes, without {@link #filesToRead}. */
  public Workload of(Operation operation) {
    String label = operation.label();
    Layout own = new Layout(runRoot + "/" + label, sizes.directories(), sizes.depth());
    Layout single = new Layout(runRoot + "/" + label, 1, 1);
    Stage files = files("files to " + label, own);
    return switch (operation) {
      case STAT -> endless(label, (slot, slots) -> reads(Method.GET_FILE_INFO, slot));
      case OPEN -> endless(label, (slot, slots) -> reads(Method.GET_BLOCK_LOCATIONS, slot));
      case LIST ->
          endless(label, (slot, slots) -> new Reads(Method.GET_LISTING, read, 0, random(slot)));
      case LIST_PAGES ->
          endless(label, (slot, slots) -> new Pages(read, sizes.filesPerDirectory(), random(slot)));
      case CREATE -> making(label, Method.CREATE, own, 'c');
      case MKDIR -> making(label, Method.MKDIRS, own, 'm');
      case RENAME ->
          endless(
              label,
              (slot, slots) -> new Renames(own, sizes.files(), slot, slots),
              directories(own),
              files);
      case DELETE ->
          new Workload(
              List.of(directories(own), files),
              List.of(
                  filesToDelete(own),
                  Stage.whole("warm up", (slot, slots) -> deletes(own, 'x', slot, slots))),
              makesAndDeletes(own),
              List.of(Stage.whole(label, (slot, slots) -> deletes(own, 'f', slot, slots))));
      case CREATE_DELETE ->
          endless(
              label, (slot, slots) -> new MakeAndDelete(made(own, 'd', slot)), directories(own));
      case MIX ->
          endless(
              label,
              (slot, slots) -> mix(own, slot, slots),
              directories(own),
              files,
              filesToDelete(own));
      case CREATE_WRITE ->
          endless(
              label, (slot, slots) -> new WriteFiles(made(single, 'w', slot)), directories(single));
      case OPEN_READ ->
          endless(
              label,
              (slot, slots) ->
                  new CallsInOrder(
                      Method.GET_BLOCK_LOCATIONS, circular(single, sizes.files(), slot, slots)),
              directories(single),
              files("files to open", single));
      case LIST_STATUS ->
          new Workload(List.of(), null, List.of(Stage.whole(label, (slot, slots) -> lists(slot))));
      case METARATES ->
          new Workload(
              List.of(directories(single)),
              makesAndDeletes(single),
              List.of(
                  files(label + "_create", single),
                  Stage.whole(
                      label + "_remove", (slot, slots) -> deletes(single, 'f', slot, slots))));
    };
  }

  private static Workload endless(String label, Sources sources, Stage... preparation) {
    return new Workload(List.of(preparation), null, List.of(Stage.endless(label, sources)));
  }

  private Workload making(String label, Method method, Layout layout, char kind) {
    return new Workload(
        List.of(directories(layout)),
        Stage.endless("warm up", (slot, slots) -> makes(method, layout, 'y', slot)),
        List.of(Stage.endless(label, (slot, slots) -> makes(method, layout, kind, slot))));
  }

  /** The directory of a benchmark that has one. */
  public String singleDirectory(Operation operation) {
    return new Layout(runRoot + "/" + operation.label(), 1, 1)
        .directory(new PathBuffer(), 0)
        .toString();
  }

  private static Stage directories(Layout layout) {
    return Stage.whole("directories", (slot, slots) -> new MakeDirectories(layout, slot, slots));
  }

  private static Stage makesAndDeletes(Layout layout) {
    return Stage.endless("warm up", (slot, slots) -> new MakeAndDelete(made(layout, 'y', slot)));
  }

  private Stage files(String name, Layout layout) {
    return Stage.whole(
        name, (slot, slots) -> new WriteFiles(numbered(layout, sizes.files(), slot, slots)));
  }

  private Stage filesToDelete(Layout layout) {
    return Stage.whole(
        "files to delete",
        (slot, slots) -> new WriteFiles(numbered(layout, 'x', sizes.files(), slot, slots)));
  }

  private CallSource reads(Method method, int slot) {
    return new Reads(method, read, filesToReadCount(), random(slot));
  }

  private CallSource makes(Method method, Layout layout, char kind, int slot) {
    return new CallsInOrder(method, made(layout, kind, slot));
  }

  private CallSource deletes(Layout layout, char kind, int slot, int slots) {
    return new CallsInOrder(Method.DELETE, numbered(layout, kind, sizes.files(), slot, slots));
  }

  /** Each task begins elsewhere, and goes round when it has seen all files. */
  private CallSource lists(int slot) {
    int files = filesToReadCount();
    int first = random(slot).nextInt(files);
    return new CallsInOrder(
        Method.GET_LISTING,
        (path, number) ->
            number >= sizes.callsPerTask() ? null : read.file(path, 'f', (first + number) % files));
  }

  private CallSource mix(Layout own, int slot, int slots) {
    return new Mix(
        random(slot),
        reads(Method.GET_FILE_INFO, slot),
        reads(Method.GET_BLOCK_LOCATIONS, ~slot),
        makes(Method.CREATE, own, 'c', slot),
        makes(Method.MKDIRS, own, 'm', slot),
        new Renames(own, sizes.files(), slot, slots),
        deletes(own, 'x', slot, slots));
  }

  private SplittableRandom random(int slot) {
    return new SplittableRandom(seed * 1_000_003 + slot);
  }

  private static FileNames numbered(Layout layout, int files, int slot, int slots) {
    return numbered(layout, 'f', files, slot, slots);
  }

  /** Every {@code slots}-th of so many files. */
  private static FileNames numbered(Layout layout, char kind, int files, int slot, int slots) {
    return (path, number) -> {
      long file = slot + (long) number * slots;
      return file >= files ? null : layout.file(path, kind, (int) file);
    };
  }

  /** The same without end. */
  private static FileNames circular(Layout layout, int files, int slot, int slots) {
    return (path, number) -> layout.file(path, 'f', (int) ((slot + (long) number * slots) % files));
  }

  /** Files that a slot makes without end, in each directory in turn. */
  private static FileNames made(Layout layout, char kind, int slot) {
    return (path, number) ->
        layout.entry(path, (slot + number) % layout.directories(), kind, slot, number);
  }

  /** Asks for the file that is made when all {@link #filesToRead} are there. */
  public Stage askWhetherReadable() {
    return once("look", Method.GET_FILE_INFO, readRoot + READY);
  }

  /** Makes it. */
  public Stage sayReadable() {
    return once("ready", Method.CREATE, readRoot + READY);
  }

  /** Removes the files to read. */
  public Stage removeFilesToRead() {
    return once("clean up", Method.DELETE, readRoot);
  }

  /** Removes what this run has changed. */
  public Stage removeRun() {
    return once("clean up", Method.DELETE, runRoot);
  }

  private static Stage once(String name, Method method, String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    return Stage.whole(
        name,
        (slot, slots) ->
            new CallsInOrder(
                method, (buffer, number) -> slot == 0 && number == 0 ? buffer.set(bytes) : null));
  }
}
