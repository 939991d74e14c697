package io.acaciafs.namenode.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A class of the site decides what users see and may do. */
@Timeout(120)
class AttributeProviderTest {
  private static final String KEY = "dfs.namenode.inode.attributes.provider.class";
  private static final Path DATA = new Path("/data");
  private static final Path FILE = new Path("/data/file");
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  @TempDir private File folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private RunningNameNode nameNode;
  private DistributedFileSystem root;
  private DistributedFileSystem alice;

  @BeforeEach
  void start() throws Exception {
    SiteProvider.follow(new SiteProvider.Rules());
    SiteProvider.EVENTS.clear();
    start(SiteProvider.class);
  }

  private void start(Class<?> provider) throws Exception {
    File place = new File(folder, provider.getSimpleName());
    nameNode =
        new RunningNameNode(
            place,
            Map.of(
                KEY,
                provider.getName(),
                "dfs.namenode.inode.attributes.provider.bypass.users",
                " trusted,, ,other "));
    open.add(nameNode);
    root = nameNode.fileSystem();
    alice = as("alice");
    root.mkdirs(DATA);
    root.create(FILE).close();
  }

  private DistributedFileSystem as(String user) throws Exception {
    DistributedFileSystem client = nameNode.fileSystem(user);
    open.add(client);
    return client;
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  /** Gives all below /data to bob. */
  private static final class BobsData extends SiteProvider.Rules {
    @Override
    INodeAttributes attributes(String path, INodeAttributes inode) {
      return path.startsWith("data/")
          ? new MadeUpAttributes(inode, "bob", "bobs", (short) 0640, acl(), xattrs())
          : inode;
    }

    private static List<AclEntry> acl() {
      return List.of(
          new AclEntry.Builder()
              .setScope(AclEntryScope.ACCESS)
              .setType(AclEntryType.USER)
              .setName("carol")
              .setPermission(FsAction.READ)
              .build(),
          new AclEntry.Builder()
              .setScope(AclEntryScope.ACCESS)
              .setType(AclEntryType.GROUP)
              .setPermission(FsAction.READ)
              .build());
    }

    private static List<XAttr> xattrs() {
      return List.of(
          new XAttr.Builder()
              .setNameSpace(XAttr.NameSpace.USER)
              .setName("from")
              .setValue(new byte[] {7})
              .build());
    }
  }

  @Test
  void usersSeeTheAttributesOfTheSite() throws Exception {
    FileStatus before = root.getFileStatus(FILE);
    SiteProvider.follow(new BobsData());

    for (FileStatus shown : List.of(root.getFileStatus(FILE), root.listStatus(DATA)[0])) {
      assertThat(shown.getOwner()).isEqualTo("bob");
      assertThat(shown.getGroup()).isEqualTo("bobs");
      assertThat(shown.getPermission().toShort()).isEqualTo((short) 0640);
      assertThat(shown.hasAcl()).isTrue();
      assertThat(shown.getModificationTime()).isEqualTo(before.getModificationTime());
      assertThat(shown.getAccessTime()).isEqualTo(before.getAccessTime());
    }
    assertThat(root.getFileStatus(DATA)).isEqualTo(root.listStatus(new Path("/"))[0]);
    assertThat(root.getFileStatus(DATA).getOwner()).isNotEqualTo("bob");
    AclStatus acl = root.getAclStatus(FILE);
    assertThat(acl.getOwner()).isEqualTo("bob");
    assertThat(acl.getPermission().toShort()).isEqualTo((short) 0640);
    assertThat(acl.getEntries()).isEqualTo(BobsData.acl());
    assertThat(root.getXAttrs(FILE)).containsOnlyKeys("user.from");
    assertThat(root.listXAttrs(FILE)).containsExactly("user.from");
    assertThat(as("bob").getFileStatus(FILE).getOwner()).isEqualTo("bob");

    SiteProvider.follow(new SiteProvider.Rules());
    assertThat(root.getFileStatus(FILE)).isEqualTo(before); // nothing of it was stored
    assertThat(root.getXAttrs(FILE)).isEmpty();
  }

  @Test
  void checksGoByTheAttributesOfTheSite() throws Exception {
    SiteProvider.follow(new BobsData());
    as("bob").access(FILE, FsAction.WRITE);
    as("carol").access(FILE, FsAction.READ);
    assertThatThrownBy(() -> as("carol").access(FILE, FsAction.WRITE))
        .isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> alice.access(FILE, FsAction.READ))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=READ,"
                + " inode=\"/data/file\":bob:bobs:-rw-r-----");
    assertThatThrownBy(() -> alice.setPermission(FILE, PRIVATE))
        .hasMessageContaining("Permission denied. user=alice is not the owner of inode=/data/file");
    as("bob").setPermission(FILE, PRIVATE);
  }

  /** Allows or forbids all to alice. */
  private static final class OnAlice extends SiteProvider.Rules {
    private final boolean allows;

    private OnAlice(boolean allows) {
      this.allows = allows;
    }

    @Override
    void check(AuthorizationContext wanted, AccessControlEnforcer hdfs)
        throws AccessControlException {
      if (!wanted.getCallerUgi().getShortUserName().equals("alice")) {
        hdfs.checkPermissionWithContext(wanted);
      } else if (!allows) {
        throw new AccessControlException("The site forbids " + wanted.getPath());
      }
    }
  }

  @Test
  void theSiteAllowsMoreAndLessThanHdfs() throws Exception {
    root.setPermission(DATA, PRIVATE);
    assertThatThrownBy(() -> alice.listStatus(DATA)).isInstanceOf(AccessControlException.class);
    SiteProvider.follow(new OnAlice(true));
    assertThat(alice.listStatus(DATA)).hasSize(1);
    alice.mkdirs(new Path("/data/more/below"));
    alice.create(new Path("/data/more/mine")).close();
    assertThat(alice.rename(new Path("/data/more"), new Path("/more"))).isTrue();
    assertThat(alice.getContentSummary(new Path("/more")).getFileCount()).isEqualTo(1);
    assertThat(alice.delete(new Path("/more"), true)).isTrue();
    assertThatThrownBy(() -> as("bob").listStatus(DATA))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("user=bob, access=READ_EXECUTE, inode=\"/data\"");

    root.setPermission(DATA, new FsPermission((short) 0777));
    SiteProvider.follow(new OnAlice(false));
    assertThatThrownBy(() -> alice.getFileStatus(FILE))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("The site forbids /data/file");
    assertThatThrownBy(() -> alice.getContentSummary(DATA)).hasMessage("The site forbids /data");
    assertThat(as("bob").listStatus(DATA)).hasSize(1);
  }

  @Test
  void noReplyIsGivenAfterTheSiteHasChangedItsMind() throws Exception {
    for (int i = 0; i < 10; i++) { // replies that are asked for again are kept
      alice.getFileStatus(FILE);
      alice.listStatus(DATA);
      alice.getClient().getLocatedBlocks(FILE.toString(), 0);
    }
    SiteProvider.follow(new OnAlice(false));
    assertThatThrownBy(() -> alice.getFileStatus(FILE)).hasMessageContaining("The site forbids");
    assertThatThrownBy(() -> alice.listStatus(DATA)).hasMessageContaining("The site forbids");
    assertThatThrownBy(() -> alice.getClient().getLocatedBlocks(FILE.toString(), 0))
        .hasMessageContaining("The site forbids");
    SiteProvider.follow(new BobsData());
    assertThat(alice.getFileStatus(FILE).getOwner()).isEqualTo("bob");
  }

  @Test
  void usersThatTheSitePassesByHaveHdfsRulesAndAttributes() throws Exception {
    SiteProvider.follow(new BobsData());
    String owner = root.getFileStatus(DATA).getOwner();
    for (String user : List.of("trusted", "other")) {
      assertThat(as(user).getFileStatus(FILE).getOwner()).isEqualTo(owner);
      as(user).access(FILE, FsAction.READ);
    }
  }

  @Test
  void aSubtreeIsRemovedOnlyIfAllOfItMayBe() throws Exception {
    Path open = new Path("/open");
    root.mkdirs(new Path(open, "a/b"));
    root.create(new Path(open, "a/b/file")).close();
    for (String path : List.of("/open", "/open/a")) {
      root.setPermission(new Path(path), new FsPermission((short) 0777));
    }
    assertThatThrownBy(() -> alice.delete(new Path(open, "a"), true))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith("Permission denied: user=alice, access=ALL, inode=\"/open/a/b\":");
    root.setPermission(new Path(open, "a/b"), new FsPermission((short) 01777));
    assertThatThrownBy(() -> alice.delete(new Path(open, "a"), true))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith(
            "Permission denied by sticky bit: user=alice, path=\"/open/a/b/file\":");
    root.setPermission(new Path(open, "a/b"), new FsPermission((short) 0777));
    assertThat(alice.delete(new Path(open, "a"), true)).isTrue();
  }

  @Test
  void directoriesBelowAreCheckedOneByOneWhenTheyAreCounted() throws Exception {
    root.mkdirs(new Path("/data/a/b"));
    List<String> asked = new CopyOnWriteArrayList<>();
    SiteProvider.follow(
        new SiteProvider.Rules() {
          @Override
          void check(AuthorizationContext wanted, AccessControlEnforcer hdfs)
              throws AccessControlException {
            if (wanted.getAncestorIndex() < 0) {
              asked.add(wanted.getInodes()[0].getFullPathName());
            }
            super.check(wanted, hdfs);
          }
        });
    assertThat(alice.getContentSummary(DATA).getDirectoryCount()).isEqualTo(3);
    assertThat(asked).containsExactlyInAnyOrder("/data", "/data/a", "/data/a/b");
    root.setPermission(new Path("/data/a/b"), PRIVATE);
    assertThatThrownBy(() -> alice.getContentSummary(DATA))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith(
            "Permission denied: user=alice, access=READ_EXECUTE, inode=\"/data/a/b\":");
  }

  /** Takes alice for the superuser, and nobody else. */
  private static final class AliceReigns extends SiteProvider.Rules {
    private final List<String> denied = new CopyOnWriteArrayList<>();

    @Override
    void checkSuperuser(AuthorizationContext wanted, AccessControlEnforcer hdfs)
        throws AccessControlException {
      if (!wanted.getCallerUgi().getShortUserName().equals("alice")) {
        throw new AccessControlException(
            "Alice reigns over " + wanted.getOperationName() + " " + wanted.getPath());
      }
    }

    @Override
    void denied(AuthorizationContext wanted, String text) {
      denied.add(wanted.getOperationName() + " " + wanted.getPath() + ": " + text);
    }
  }

  @Test
  void theSiteSaysWhoIsSuperuser() throws Exception {
    AliceReigns rules = new AliceReigns();
    SiteProvider.follow(rules);
    assertThatThrownBy(() -> root.mkdirs(new Path("/new")))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Alice reigns over mkdirs /new");
    assertThatThrownBy(() -> root.setBalancerBandwidth(1))
        .hasMessageContaining("Alice reigns over setBalancerBandwidth null");
    assertThatThrownBy(() -> root.setQuota(DATA, 10, 10))
        .hasMessageContaining("Alice reigns over setSpaceQuota /data");
    alice.setBalancerBandwidth(1);
    alice.setQuota(DATA, 10, Long.MAX_VALUE >> 1);
    assertThatThrownBy(() -> alice.getXAttr(DATA, "trusted.x"))
        .hasMessageContaining("User doesn't have permission for xattr: trusted.x");
    assertThat(rules.denied)
        .containsExactly(
            "getXAttrs XAttr [ns=TRUSTED, name=x]: User doesn't have permission for xattr:"
                + " trusted.x");
  }

  @Test
  void whatTheSiteThrowsFailsThatCallAlone() throws Exception {
    SiteProvider.follow(
        new SiteProvider.Rules() {
          @Override
          void check(AuthorizationContext wanted, AccessControlEnforcer hdfs)
              throws AccessControlException {
            if (wanted.getPath().equals("/data/file")) {
              throw new IllegalStateException("a bug of the site");
            }
            super.check(wanted, hdfs);
          }
        });
    assertThatThrownBy(() -> alice.getFileStatus(FILE))
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> assertThat(e.getClassName()).isEqualTo(IllegalStateException.class.getName()))
        .hasMessageContaining("a bug of the site");
    assertThat(alice.listStatus(DATA)).hasSize(1);
  }

  /** Clients know no other class of refusals. */
  private static final class Refusal extends AccessControlException {
    private static final long serialVersionUID = 1;

    private Refusal() {
      super("of another class");
    }
  }

  @Test
  void aRefusalOfAnotherClassReachesClientsAsARefusal() {
    SiteProvider.follow(
        new SiteProvider.Rules() {
          @Override
          void check(AuthorizationContext wanted, AccessControlEnforcer hdfs)
              throws AccessControlException {
            throw new Refusal();
          }
        });
    assertThatThrownBy(() -> alice.getFileStatus(FILE))
        .isExactlyInstanceOf(AccessControlException.class)
        .hasMessageContaining("of another class");
  }

  @Test
  void theSiteFindsTheCallWhereHadoopsServerHasIt() throws Exception {
    List<String> found = new CopyOnWriteArrayList<>();
    SiteProvider.follow(
        new SiteProvider.Rules() {
          @Override
          INodeAttributes attributes(String path, INodeAttributes inode) {
            found.add(Server.getRemoteAddress() + " " + Server.getRemoteUser().getUserName());
            return inode;
          }

          @Override
          void check(AuthorizationContext wanted, AccessControlEnforcer hdfs) {
            found.add(Server.getRemoteAddress() + " " + Server.getRemoteUser().getUserName());
          }
        });
    alice.getFileStatus(FILE);
    assertThat(found).isNotEmpty().containsOnly("127.0.0.1 alice");
  }

  @Test
  void aFileOnTheWayIsWhatHdfsSaysItIs() throws Exception {
    Path behind = new Path("/data/file/behind");
    assertThatThrownBy(() -> alice.getFileStatus(behind))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("/data/file (is not a directory)");
    SiteProvider.follow(new OnAlice(true));
    assertThatThrownBy(() -> alice.create(behind)).isInstanceOf(IOException.class);
  }

  @Test
  void aClassThatKnowsNoContextsIsAskedTheOldWay() throws Exception {
    stop();
    open.clear();
    start(OldProvider.class);
    root.mkdirs(new Path("/data/forbidden"));
    assertThat(alice.listStatus(DATA)).hasSize(2);
    assertThatThrownBy(() -> alice.listStatus(new Path("/data/forbidden")))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("The old way forbids /data/forbidden");
    assertThatThrownBy(() -> alice.mkdirs(new Path("/data/forbidden/dir")))
        .hasMessageContaining("user=alice, access=WRITE");
  }

  @Test
  void theClassIsStartedAndStopped() throws Exception {
    assertThat(SiteProvider.EVENTS).containsExactly("start");
    stop();
    open.clear();
    assertThat(SiteProvider.EVENTS).containsExactly("start", "stop");
  }

  /** Does not start. */
  public static final class Broken
      extends org.apache.hadoop.hdfs.server.namenode.DefaultINodeAttributesProvider {
    @Override
    public void start() {
      throw new IllegalArgumentException("no policies");
    }
  }

  @Test
  void aNameNodeDoesNotStartWithoutTheClassThatItIsToAsk() {
    for (String[] expected :
        Arrays.asList(
            new String[] {"org.example.NoSuchClass", "ClassNotFoundException"},
            new String[] {"java.lang.String", "ClassCastException"},
            new String[] {Broken.class.getName(), "no policies"})) {
      assertThatThrownBy(
              () -> new RunningNameNode(new File(folder, expected[1]), Map.of(KEY, expected[0])))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "The authorization provider " + expected[0] + " (" + KEY + ") could not be started: ")
          .hasMessageContaining(expected[1]);
    }
  }
}
