package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.attribute.RemoveXAttr;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.attribute.TouchAccessTime;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;

/** What files and directories carry with them, but for ACLs. */
record AttributeSteps(Draws draws) {
  static final List<String> XATTRS = List.of("user.a", "user.b", "trusted.c", "user.longname");
  private static final List<String> POLICIES =
      Arrays.asList("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "LAZY_PERSIST", "SLOW", null);

  Step setPermission(Draws.Who who, String path) {
    short mode = draws.mode();
    return Step.of(
        "chmod " + path + " " + Integer.toOctalString(mode),
        who.caller(),
        new SetPermission(path, new FsPermission(mode)),
        nothing -> "done",
        m -> m.attributes().setPermission(who.user(), path, mode));
  }

  Step setOwner(Draws.Who who, String path) {
    String owner =
        draws.random().nextBoolean() ? null : draws.oneOf(List.of("alice", "bob", "carol"));
    String group =
        draws.random().nextBoolean() ? null : draws.oneOf(List.of("staff", "dev", "other"));
    return Step.of(
        "chown " + path + " " + owner + ":" + group,
        who.caller(),
        new SetOwner(path, owner, group),
        nothing -> "done",
        m -> m.attributes().setOwner(who.user(), path, owner, group));
  }

  Step setTimes(Draws.Who who, String path) {
    long mtime =
        draws.random().nextInt(3) == 0
            ? -1
            : draws.model().nowMs + draws.random().nextInt(20_000) - 10_000;
    long atime = draws.random().nextInt(3) == 0 ? -1 : draws.random().nextInt(1000);
    return Step.of(
        "setTimes " + path + " " + mtime + " " + atime,
        who.caller(),
        new SetTimes(path, mtime, atime),
        nothing -> "done",
        m -> m.attributes().setTimes(who.user(), path, mtime, atime));
  }

  Step setReplication(Draws.Who who, String path) {
    short replication = (short) draws.random().nextInt(4);
    return Step.of(
        "setReplication " + path + " " + replication,
        who.caller(),
        new SetReplication(path, replication),
        String::valueOf,
        m -> m.attributes().setReplication(who.user(), path, replication));
  }

  Step touch() {
    long id = draws.ids().isEmpty() ? 1 : draws.oneOf(draws.ids());
    return Step.of(
        "touch " + id,
        NamespaceFixture.SUPERUSER,
        new TouchAccessTime(id),
        nothing -> "done",
        m -> m.attributes().touchAccessTime(id));
  }

  Step setXAttr(Draws.Who who, String path) {
    String name = draws.oneOf(XATTRS);
    String value = draws.oneOf(List.of("", "1", "22", "longer value"));
    boolean creates = draws.random().nextInt(3) > 0;
    boolean replaces = draws.once(2);
    EnumSet<XAttrSetFlag> flags = EnumSet.noneOf(XAttrSetFlag.class);
    if (creates) {
      flags.add(XAttrSetFlag.CREATE);
    }
    if (replaces) {
      flags.add(XAttrSetFlag.REPLACE);
    }
    XAttr xattr = XAttrHelper.buildXAttr(name, value.getBytes(StandardCharsets.UTF_8));
    return Step.of(
        "setXAttr " + path + " " + name + "=" + value + " " + flags,
        who.caller(),
        new SetXAttr(path, xattr, flags),
        nothing -> "done",
        m -> m.attributes().setXAttr(who.user(), path, name, value, creates, replaces));
  }

  Step removeXAttr(Draws.Who who, String any) {
    String path = draws.pathOf(any, node -> !node.xattrs.isEmpty());
    String name = draws.oneOf(XATTRS);
    return Step.of(
        "removeXAttr " + path + " " + name,
        who.caller(),
        new RemoveXAttr(path, XAttrHelper.buildXAttr(name)),
        nothing -> "done",
        m -> m.attributes().removeXAttr(who.user(), path, name));
  }

  /** Of files: what is used of quotas does not follow a policy of a directory. */
  Step setStoragePolicy(Draws.Who who) {
    String path = draws.pathOf("/none", node -> !node.directory);
    String policy = draws.oneOf(POLICIES);
    return Step.of(
        "setStoragePolicy " + path + " " + policy,
        who.caller(),
        new SetStoragePolicy(path, policy),
        nothing -> "done",
        m -> m.attributes().setStoragePolicy(who.user(), path, policy));
  }

  /** Mostly a little more than is used. */
  Step setQuota(Draws.Who who, String any) {
    String path = draws.pathOf(any, node -> node.directory);
    String what = draws.oneOf(ModelQuotas.ALL);
    boolean isNames = what.equals(ModelQuotas.NAMES);
    Node node = draws.nodeOr(draws.model().root, one -> one.path().equals(path));
    long more = draws.random().nextInt(isNames ? 4 : 10_000);
    long limit =
        switch (draws.random().nextInt(8)) {
          case 0, 1, 2 -> ModelAttributes.NONE;
          case 3 -> ModelAttributes.STAYS;
          case 4 -> more;
          default -> ModelQuotas.usage(node).get(what) + more;
        };
    return Step.of(
        "setQuota " + path + " " + what + " " + limit,
        who.caller(),
        new SetQuota(
            path,
            isNames ? limit : ModelAttributes.STAYS,
            isNames ? ModelAttributes.STAYS : limit,
            isNames || what.equals(ModelQuotas.SPACE) ? null : StorageType.valueOf(what)),
        nothing -> "done",
        m -> m.attributes().setQuota(who.user(), path, what, limit));
  }
}
