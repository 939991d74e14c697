package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.attribute.GetAclStatus;
import io.acaciafs.namespace.op.attribute.GetXAttrs;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.directory.GetBatchedListing;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetLinkTarget;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.file.GetFile;
import io.acaciafs.namespace.op.lease.ListOpenFiles;
import io.acaciafs.namespace.op.policy.GetStoragePolicy;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;

/** What the namespace tells. */
record ReadingSteps(Draws draws) {
  Step list(Draws.Who who, String path) {
    String startAfter = draws.random().nextBoolean() ? "" : draws.name();
    boolean needLocation = draws.random().nextBoolean();
    return Step.of(
        "list " + path + " after " + startAfter + " " + needLocation,
        who.caller(),
        listing(path, startAfter, needLocation),
        page -> page,
        m -> m.reading().list(who.user(), path, startAfter, needLocation));
  }

  private static NamespaceOperation<String> listing(
      String path, String startAfter, boolean needLocation) {
    GetListing listing =
        new GetListing(path, startAfter.getBytes(StandardCharsets.UTF_8), needLocation);
    return tree -> {
      GetListing.Page page = listing.run(tree);
      return page == null ? "none" : Rendering.describe(page);
    };
  }

  Step access(Draws.Who who, String path) {
    FsAction access = FsAction.values()[draws.random().nextInt(8)];
    return Step.of(
        "access " + path + " " + access,
        who.caller(),
        new CheckAccess(path, access),
        nothing -> "done",
        m -> m.reading().access(who.user(), path, access.ordinal()));
  }

  Step file(Draws.Who who, String path) {
    return Step.of(
        "file " + path,
        who.caller(),
        new GetFile(path, FsAction.READ),
        file ->
            Rendering.describe(
                new InodeStatus(new byte[0], file, file.attributes().modificationTimeMs(), 0)),
        m -> m.reading().file(who.user(), path));
  }

  Step summary(Draws.Who who, String path) {
    return Step.of(
        "summary " + path,
        who.caller(),
        new GetContentSummary(path),
        Rendering::describe,
        m -> m.reading().summary(who.user(), path));
  }

  Step linkTarget(Draws.Who who, String any) {
    String path = draws.pathOf(any, node -> node.target != null);
    return Step.of(
        "linkTarget " + path,
        who.caller(),
        new GetLinkTarget(path),
        target -> target,
        m -> m.reading().linkTarget(who.user(), path));
  }

  Step info(Draws.Who who, String path) {
    boolean ofLink = draws.once(2);
    return Step.of(
        "info " + path + (ofLink ? " itself" : ""),
        who.caller(),
        new GetFileInfo(path, ofLink ? PathUse.READ_LINK : PathUse.READ),
        status ->
            status == null
                ? "none"
                : status.inode().id() == 0 ? "reserved" : Rendering.describe(status),
        m -> m.reading().info(who.user(), path, ofLink));
  }

  Step batchedList(Draws.Who who, String path) {
    List<String> paths = List.of(path, draws.path(), draws.path());
    int first = draws.random().nextInt(2);
    String startAfter = draws.once(2) ? "" : draws.name();
    boolean needLocation = draws.once(2);
    byte[] after = startAfter.getBytes(StandardCharsets.UTF_8);
    GetBatchedListing listing = new GetBatchedListing(paths, first, after, needLocation);
    NamespaceOperation<String> told = tree -> Rendering.describe(listing.run(tree));
    return Step.of(
        "list " + paths + " from " + first + " after " + startAfter + " " + needLocation,
        who.caller(),
        told,
        text -> text,
        m -> m.reading().batchedList(who.user(), paths, first, startAfter, needLocation));
  }

  Step openFiles(Draws.Who who, String path) {
    long after = draws.ids().isEmpty() || draws.once(2) ? 0 : draws.oneOf(draws.ids());
    return Step.of(
        "openFiles " + path + " after " + after,
        who.caller(),
        new ListOpenFiles(after, path),
        page ->
            page.entries().stream()
                .map(file -> file.getFilePath() + " " + file.getClientName())
                .collect(Collectors.joining(", ")),
        m -> m.reading().openFiles(who.user(), after, path));
  }

  Step storagePolicy(Draws.Who who, String path) {
    return Step.of(
        "storagePolicy " + path,
        who.caller(),
        new GetStoragePolicy(path),
        policy -> policy.getName(),
        m -> m.reading().storagePolicy(who.user(), path));
  }

  Step acl(Draws.Who who, String path) {
    return Step.of(
        "acl " + path,
        who.caller(),
        new GetAclStatus(path),
        Rendering::describe,
        m -> m.reading().acl(who.user(), path));
  }

  Step xattrs(Draws.Who who, String path) {
    return Step.of(
        "xattrs " + path,
        who.caller(),
        new ListXAttrs(path),
        xattrs -> xattrs.stream().map(XAttrHelper::getPrefixedName).sorted().toList().toString(),
        m -> m.reading().xattrs(who.user(), path));
  }

  Step xattr(Draws.Who who, String any) {
    String path = draws.pathOf(any, node -> !node.xattrs.isEmpty());
    String name = draws.oneOf(AttributeSteps.XATTRS);
    return Step.of(
        "xattr " + path + " " + name,
        who.caller(),
        new GetXAttrs(path, List.of(XAttrHelper.buildXAttr(name))),
        found -> Rendering.value(found.get(0)),
        m -> m.reading().xattr(who.user(), path, name));
  }
}
