package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.directory.CreateSymlink;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import java.util.EnumSet;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;

/** Directories come, things move and go. */
record TreeSteps(Draws draws) {
  Step mkdirs(Draws.Who who, String path) {
    short mode = draws.mode();
    boolean createParent = draws.random().nextInt(4) > 0;
    return Step.of(
        "mkdirs " + path + " " + Integer.toOctalString(mode) + " " + createParent,
        who.caller(),
        new Mkdirs(path, new FsPermission(mode), createParent),
        String::valueOf,
        m -> m.tree().mkdirs(who.user(), path, mode, createParent));
  }

  Step createSymlink(Draws.Who who, String path) {
    String target = draws.once(4) ? draws.name() : draws.path();
    short mode = draws.mode();
    boolean createParent = draws.random().nextInt(4) > 0;
    return Step.of(
        "createSymlink " + target + " " + path + " " + createParent,
        who.caller(),
        new CreateSymlink(target, path, new FsPermission(mode), createParent),
        nothing -> "created",
        m -> m.tree().createSymlink(who.user(), target, path, mode, createParent));
  }

  Step rename(Draws.Who who, String from, String to) {
    return Step.of(
        "rename " + from + " " + to,
        who.caller(),
        new Rename(from, to),
        String::valueOf,
        m -> m.tree().rename(who.user(), from, to));
  }

  Step rename2(Draws.Who who, String from, String to) {
    boolean overwrite = draws.random().nextBoolean();
    boolean trash = draws.random().nextInt(10) == 0;
    EnumSet<Options.Rename> options = EnumSet.noneOf(Options.Rename.class);
    if (overwrite) {
      options.add(Options.Rename.OVERWRITE);
    }
    if (trash) {
      options.add(Options.Rename.TO_TRASH);
    }
    return Step.of(
        "rename2 " + from + " " + to + " " + options,
        who.caller(),
        new Rename2(from, to, options),
        nothing -> "done",
        m -> m.tree().rename2(who.user(), from, to, overwrite, trash));
  }

  Step delete(Draws.Who who, String path) {
    boolean recursive = draws.random().nextBoolean();
    return Step.of(
        "delete " + path + " " + recursive,
        who.caller(),
        new Delete(path, recursive),
        String::valueOf,
        m -> m.tree().delete(who.user(), path, recursive));
  }
}
