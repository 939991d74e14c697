package io.acaciafs.namespace.model;

import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.FileBlocks;
import io.acaciafs.namespace.InodeStatus;
import io.acaciafs.namespace.NamespaceFixture;
import io.acaciafs.namespace.NamespaceOperation;
import io.acaciafs.namespace.op.AbandonBlock;
import io.acaciafs.namespace.op.AddBlock;
import io.acaciafs.namespace.op.CheckAccess;
import io.acaciafs.namespace.op.CompleteFile;
import io.acaciafs.namespace.op.CreateFile;
import io.acaciafs.namespace.op.Delete;
import io.acaciafs.namespace.op.Fsync;
import io.acaciafs.namespace.op.GetContentSummary;
import io.acaciafs.namespace.op.GetFile;
import io.acaciafs.namespace.op.GetFileInfo;
import io.acaciafs.namespace.op.GetListing;
import io.acaciafs.namespace.op.Mkdirs;
import io.acaciafs.namespace.op.Rename;
import io.acaciafs.namespace.op.Rename2;
import io.acaciafs.namespace.op.SetOwner;
import io.acaciafs.namespace.op.SetPermission;
import io.acaciafs.namespace.op.SetReplication;
import io.acaciafs.namespace.op.SetTimes;
import io.acaciafs.namespace.op.TouchAccessTime;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;

/** Draws operations: few names, so that they meet often. */
final class Steps {
  private static final List<String> NAMES = List.of("a", "b", "c", "\u00e9");
  private static final List<String> ODD_NAMES = List.of(".snapshot", ".reserved", "..", "d");
  private static final List<String> CLIENTS = List.of("client_1", "client_2");
  private static final int[] MODES = {0777, 0755, 0700, 0750, 01777, 0711, 0, 0770, 0444};
  private static final int MAX_DEPTH = 4;

  private final Random random;
  private final Model model;

  /** Any inode id that was seen, of files that are gone as well. */
  private final List<Long> ids;

  Steps(Random random, Model model, List<Long> ids) {
    this.random = random;
    this.model = model;
    this.ids = ids;
  }

  Step next() {
    Who who = who();
    String path = path();
    return switch (random.nextInt(40)) {
      case 0, 1, 2, 3 -> mkdirs(who, path);
      case 4, 5, 6, 7, 8 -> create(who, path);
      case 9, 10, 11 -> addBlock(who);
      case 12, 13 -> complete(who);
      case 14 -> abandon(who);
      case 15 -> fsync(who);
      case 16, 17, 18, 19 -> rename(who, path, path());
      case 20, 21, 22, 23 -> rename2(who, path, path());
      case 24, 25, 26 -> delete(who, path);
      case 27, 28 -> setPermission(who, path);
      case 29 -> setOwner(who, path);
      case 30 -> setTimes(who, path);
      case 31 -> setReplication(who, path);
      case 32 -> touch();
      case 33, 34 -> list(who, path);
      case 35 -> access(who, path);
      case 36 -> file(who, path);
      case 37 -> summary(who, path);
      default -> info(who, path);
    };
  }

  private record Who(Caller caller, Model.User user) {}

  private Who who() {
    return switch (random.nextInt(6)) {
      case 0 -> new Who(NamespaceFixture.ALICE, new Model.User("alice", false, Set.of("staff")));
      case 1 -> new Who(NamespaceFixture.BOB, new Model.User("bob", false, Set.of("staff", "dev")));
      case 2 -> new Who(NamespaceFixture.CAROL, new Model.User("carol", false, Set.of()));
      default -> new Who(NamespaceFixture.SUPERUSER, new Model.User("hdfs", true, Set.of()));
    };
  }

  private <E> E oneOf(List<E> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String path() {
    int kind = random.nextInt(20);
    if (kind == 0 && !ids.isEmpty()) {
      return "/.reserved/.inodes/" + oneOf(ids) + (random.nextBoolean() ? "" : "/" + name());
    }
    if (kind < 11) {
      String existing = oneOf(model.root.all()).path();
      return random.nextInt(3) > 0 || existing.split("/").length > MAX_DEPTH
          ? existing
          : (existing.equals("/") ? "" : existing) + "/" + name();
    }
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(MAX_DEPTH) + 1; i > 0; i--) {
      path.append('/').append(name());
    }
    return path.toString();
  }

  private String name() {
    return oneOf(random.nextInt(100) == 0 ? ODD_NAMES : NAMES);
  }

  private short mode() {
    return (short) MODES[random.nextInt(MODES.length)];
  }

  private Step mkdirs(Who who, String path) {
    short mode = mode();
    boolean createParent = random.nextInt(4) > 0;
    return Step.of(
        "mkdirs " + path + " " + Integer.toOctalString(mode) + " " + createParent,
        who.caller,
        new Mkdirs(path, new FsPermission(mode), createParent),
        String::valueOf,
        m -> m.mkdirs(who.user, path, mode, createParent));
  }

  private Step create(Who who, String path) {
    short mode = (short) (mode() & 0777);
    String client = oneOf(CLIENTS);
    boolean overwrite = random.nextBoolean();
    boolean createParent = random.nextInt(4) > 0;
    EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
    if (overwrite) {
      flags.add(CreateFlag.OVERWRITE);
    }
    return Step.of(
        "create " + path + " " + client + " " + overwrite + " " + createParent,
        who.caller,
        new CreateFile(
            path, new FsPermission(mode), client, flags, createParent, (short) 3, Model.BLOCK_SIZE),
        status -> {
          ids.add(status.inode().id());
          return "created";
        },
        m -> m.create(who.user, path, mode, client, overwrite, createParent));
  }

  /** A file, its id or 0, its path or a wrong one, and mostly its writer. */
  private record Target(Node file, String path, long id, String client) {}

  private Target target() {
    List<Node> files =
        model.root.all().stream()
            .filter(node -> !node.directory && (node.writer != null || random.nextInt(5) == 0))
            .toList();
    Node file = files.isEmpty() ? model.root : oneOf(files);
    String client = file.writer == null || random.nextInt(10) == 0 ? oneOf(CLIENTS) : file.writer;
    boolean byId = file.id != 0 && random.nextInt(4) > 0;
    return new Target(
        file,
        byId && random.nextInt(4) == 0 ? path() : file.path(),
        byId && !file.path().equals("/") ? file.id : 0,
        client);
  }

  /** Mostly the last block of a file; 0 is none. */
  private long blockOf(Node file, int skip) {
    int index = file.blocks.size() - 1 - skip;
    return index < 0 ? 0 : file.blocks.get(index)[0];
  }

  private static Block block(long id, long length) {
    return id == 0 ? null : new Block(id, length, 1001);
  }

  private Step addBlock(Who who) {
    Target target = target();
    long previous = random.nextInt(8) == 0 ? 0 : blockOf(target.file, random.nextInt(8) / 6);
    long length = random.nextInt(3) == 0 ? random.nextInt(1024) : Model.BLOCK_SIZE;
    return Step.of(
        "addBlock " + target.path + " " + target.id + " " + target.client + " after " + previous,
        who.caller,
        new AddBlock(
            target.path, target.id, target.client, block(previous, length), FileBlocks.Wishes.NONE),
        located -> {
          long id = located.getBlock().getBlockId();
          return model.root.all().stream()
                  .anyMatch(node -> node.blocks.stream().anyMatch(block -> block[0] == id))
              ? "again"
              : "new";
        },
        m -> m.addBlock(who.user, target.path, target.id, target.client, previous, length));
  }

  private Step complete(Who who) {
    Target target = target();
    long last = random.nextInt(8) == 0 ? 0 : blockOf(target.file, random.nextInt(10) / 9);
    long length = random.nextInt(1025);
    return Step.of(
        "complete " + target.path + " " + target.id + " " + target.client + " last " + last,
        who.caller,
        new CompleteFile(target.path, target.id, target.client, block(last, length)),
        String::valueOf,
        m -> m.complete(who.user, target.path, target.id, target.client, last, length));
  }

  private Step abandon(Who who) {
    Target target = target();
    long block = blockOf(target.file, random.nextInt(4) / 3);
    return Step.of(
        "abandon " + target.path + " " + target.id + " " + target.client + " " + block,
        who.caller,
        new AbandonBlock(target.path, target.id, target.client, block),
        nothing -> "done",
        m -> m.abandonBlock(who.user, target.path, target.id, target.client, block));
  }

  private Step fsync(Who who) {
    Target target = target();
    long length = random.nextInt(1024) - 1;
    return Step.of(
        "fsync " + target.path + " " + target.id + " " + target.client + " " + length,
        who.caller,
        new Fsync(target.path, target.id, target.client, length),
        nothing -> "done",
        m -> m.fsync(who.user, target.path, target.id, target.client, length));
  }

  private Step rename(Who who, String from, String to) {
    return Step.of(
        "rename " + from + " " + to,
        who.caller,
        new Rename(from, to),
        String::valueOf,
        m -> m.rename(who.user, from, to));
  }

  private Step rename2(Who who, String from, String to) {
    boolean overwrite = random.nextBoolean();
    boolean trash = random.nextInt(10) == 0;
    EnumSet<Options.Rename> options = EnumSet.noneOf(Options.Rename.class);
    if (overwrite) {
      options.add(Options.Rename.OVERWRITE);
    }
    if (trash) {
      options.add(Options.Rename.TO_TRASH);
    }
    return Step.of(
        "rename2 " + from + " " + to + " " + options,
        who.caller,
        new Rename2(from, to, options),
        nothing -> "done",
        m -> m.rename2(who.user, from, to, overwrite, trash));
  }

  private Step delete(Who who, String path) {
    boolean recursive = random.nextBoolean();
    return Step.of(
        "delete " + path + " " + recursive,
        who.caller,
        new Delete(path, recursive),
        String::valueOf,
        m -> m.delete(who.user, path, recursive));
  }

  private Step setPermission(Who who, String path) {
    short mode = mode();
    return Step.of(
        "chmod " + path + " " + Integer.toOctalString(mode),
        who.caller,
        new SetPermission(path, new FsPermission(mode)),
        nothing -> "done",
        m -> m.setPermission(who.user, path, mode));
  }

  private Step setOwner(Who who, String path) {
    String owner = random.nextBoolean() ? null : oneOf(List.of("alice", "bob", "carol"));
    String group = random.nextBoolean() ? null : oneOf(List.of("staff", "dev", "other"));
    return Step.of(
        "chown " + path + " " + owner + ":" + group,
        who.caller,
        new SetOwner(path, owner, group),
        nothing -> "done",
        m -> m.setOwner(who.user, path, owner, group));
  }

  private Step setTimes(Who who, String path) {
    long mtime = random.nextInt(3) == 0 ? -1 : model.nowMs + random.nextInt(20_000) - 10_000;
    long atime = random.nextInt(3) == 0 ? -1 : random.nextInt(1000);
    return Step.of(
        "setTimes " + path + " " + mtime + " " + atime,
        who.caller,
        new SetTimes(path, mtime, atime),
        nothing -> "done",
        m -> m.setTimes(who.user, path, mtime, atime));
  }

  private Step setReplication(Who who, String path) {
    short replication = (short) random.nextInt(4);
    return Step.of(
        "setReplication " + path + " " + replication,
        who.caller,
        new SetReplication(path, replication),
        String::valueOf,
        m -> m.setReplication(who.user, path, replication));
  }

  private Step touch() {
    long id = ids.isEmpty() ? 1 : oneOf(ids);
    return Step.of(
        "touch " + id,
        NamespaceFixture.SUPERUSER,
        new TouchAccessTime(id),
        nothing -> "done",
        m -> m.touchAccessTime(id));
  }

  private Step list(Who who, String path) {
    String startAfter = random.nextBoolean() ? "" : name();
    boolean needLocation = random.nextBoolean();
    return Step.of(
        "list " + path + " after " + startAfter + " " + needLocation,
        who.caller,
        listing(path, startAfter, needLocation),
        page -> page,
        m -> m.list(who.user, path, startAfter, needLocation));
  }

  private static NamespaceOperation<String> listing(
      String path, String startAfter, boolean needLocation) {
    GetListing listing =
        new GetListing(path, startAfter.getBytes(StandardCharsets.UTF_8), needLocation);
    return tree -> {
      GetListing.Page page = listing.run(tree);
      if (page == null) {
        return "none";
      }
      StringBuilder text = new StringBuilder();
      for (InodeStatus entry : page.entries()) {
        if (entry.inode().id() == 0) {
          return "reserved";
        }
        text.append(Rendering.describe(entry)).append(';');
      }
      return text + (page.hasMore() ? "..." : "");
    };
  }

  private Step access(Who who, String path) {
    FsAction access = FsAction.values()[random.nextInt(8)];
    return Step.of(
        "access " + path + " " + access,
        who.caller,
        new CheckAccess(path, access),
        nothing -> "done",
        m -> m.access(who.user, path, access.ordinal()));
  }

  private Step file(Who who, String path) {
    return Step.of(
        "file " + path,
        who.caller,
        new GetFile(path, FsAction.READ),
        file ->
            Rendering.describe(
                new InodeStatus(new byte[0], file, file.attributes().modificationTimeMs(), 0)),
        m -> m.file(who.user, path));
  }

  private Step summary(Who who, String path) {
    return Step.of(
        "summary " + path,
        who.caller,
        new GetContentSummary(path),
        Rendering::describe,
        m -> m.summary(who.user, path));
  }

  private Step info(Who who, String path) {
    return Step.of(
        "info " + path,
        who.caller,
        new GetFileInfo(path),
        status ->
            status == null
                ? "none"
                : status.inode().id() == 0 ? "reserved" : Rendering.describe(status),
        m -> m.info(who.user, path));
  }
}
