package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeCodec;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.SymlinkInode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The tree as one transaction sees it: rows read and written as inodes. Every inode on the way of a
 * resolved path is guarded, so what an operation decides holds at its commit. Like its transaction
 * it is used by one thread, once, and does not see its own writes.
 */
public final class Tree {
  private static final byte[] NO_NAME = new byte[0];

  /** More are asked for when it is known that they are wanted. */
  private static final int MOST_BLOCKS_GUESSED = 8;

  /** The number of rows in one read. */
  private static final int MOST_BLOCKS_AHEAD = 256;

  private final Transaction transaction;
  private final Caller caller;
  private final NamespaceContext context;
  private final InodeCodec codec;
  private final long nowMs;
  private final EntryRows rows;
  private final QuotaLedger quotas;
  private IOException refusalAfterCommit;
  private String renewedBeforeCommit;
  private String renewedAfterCommit;
  private boolean beganRecovery;
  private Consumer<ResolvedPath> firstPathWatcher;
  private DirectoryInode newestDirectory;
  private Inode subject;

  /** Null until it is needed. */
  private Reader moment;

  private boolean isMomentAsked;
  private Repetitions.Indexed newlyIndexed;
  private final List<DirectoryTrust.Token> restsOn;
  private Set<Long> changedDirectories = Set.of();

  Tree(Transaction transaction, Caller caller, NamespaceContext context) {
    this(transaction, caller, context, null, false);
  }

  /**
   * @param recalls whether the operation is to write, so that it may begin with what is remembered
   * @param restsOn takes what the operation rests on besides its guards; null: only guards will do
   */
  Tree(
      Transaction transaction,
      Caller caller,
      NamespaceContext context,
      List<DirectoryTrust.Token> restsOn,
      boolean recalls) {
    this.restsOn = restsOn;
    this.transaction = transaction;
    this.caller = caller;
    this.context = context;
    this.codec = InodeCodec.in(transaction, context.dictionary());
    this.nowMs = context.clock().millis();
    this.rows = new EntryRows(transaction, recalls);
    this.quotas = new QuotaLedger(this);
  }

  /** The same tree as it is now; what is read of it is no guard of this operation. */
  Tree unguarded() {
    if (!transaction.mayBlock()) {
      throw new WouldBlockException(); // that one would wait
    }
    return new Tree(context.begin(), caller, context);
  }

  public Caller caller() {
    return caller;
  }

  public NamespaceSettings settings() {
    return context.settings();
  }

  public ProtectedDirectories protectedDirectories() {
    return context.protectedDirectories();
  }

  public Leases leases() {
    return context.leases();
  }

  public FileBlocks blocks() {
    return context.blocks();
  }

  public Transaction transaction() {
    return transaction;
  }

  /**
   * All rows as they were at one moment, the same for the whole operation, from when this is called
   * first; null where the store has no such thing.
   */
  Reader moment() {
    if (moment == null && !isMomentAsked) {
      moment = transaction.atOneMoment();
      isMomentAsked = true;
    }
    return moment;
  }

  /** Reads what nothing guards: of that moment, if this operation has one. */
  Reader besides() {
    return moment == null ? transaction : moment;
  }

  /**
   * Another transaction, which also reads the rows that this operation depends on.
   *
   * @throws WouldBlockException if it would have to wait
   */
  Transaction beginBeside() {
    if (!transaction.mayBlock()) {
      throw new WouldBlockException();
    }
    transaction.noteReadBeside();
    return context.begin();
  }

  boolean hasRemoteReads() {
    return context.hasRemoteReads();
  }

  InodeCodec codec() {
    return codec;
  }

  /** Where entries lie. */
  EntryRows rows() {
    return rows;
  }

  public QuotaLedger quotas() {
    return quotas;
  }

  /** What is in directories. */
  public Directories directories() {
    return new Directories(this);
  }

  public PermissionChecker permissions() {
    return new PermissionChecker(this);
  }

  /** The time of this operation, since the epoch. */
  public long nowMs() {
    return nowMs;
  }

  /** For a new inode of this name. */
  public long nextInodeId(DirectoryInode directory, byte[] name) {
    return context.nextInodeId(EntryRows.ofNew(directory, name));
  }

  long nextJobId() {
    return context.nextId(IdKind.JOB);
  }

  public long nextBlockId() {
    return context.nextId(IdKind.BLOCK);
  }

  /**
   * Lets the operation fail although what it wrote stays; one that throws by itself leaves nothing.
   */
  public void refuseAfterCommit(IOException refusal) {
    refusalAfterCommit = refusal;
  }

  /**
   * A client's lease counts as renewed when the operation is about to be committed: nobody sees the
   * file that it opens with a lease that has run out.
   */
  public void renewBeforeCommit(String clientName) {
    renewedBeforeCommit = clientName;
  }

  /** Null where there is none. */
  String renewedBeforeCommit() {
    return renewedBeforeCommit;
  }

  /** A client's lease counts as renewed once the operation is committed, and not before. */
  public void renewAfterCommit(String clientName) {
    renewedAfterCommit = clientName;
  }

  /** Null where there is none. */
  String renewedAfterCommit() {
    return renewedAfterCommit;
  }

  /** Whether a file waits from now on to be closed without its writer. */
  boolean beganRecovery() {
    return beganRecovery;
  }

  /** Null where the operation succeeds. */
  IOException refusalAfterCommit() {
    return refusalAfterCommit;
  }

  Repetitions repetitions() {
    return context.repetitions();
  }

  ItemCounts itemCounts() {
    return context.itemCounts();
  }

  CountedStretches countedStretches() {
    return context.countedStretches();
  }

  /** Whether what this process remembers is all there is. */
  boolean isAlone() {
    return !context.hasCompany();
  }

  /** The time of answers, which is not that of users. */
  long runningMs() {
    return context.runningTime().nowMs();
  }

  /** Answers to calls before this {@linkplain #runningMs running time} are not kept any more. */
  public long oldestRetryMs() {
    long behindMs = context.hasCompany() ? RunningTime.MOST_BEHIND_MS : 0;
    return runningMs() - context.settings().retryExpiryMs() - behindMs;
  }

  /** Null where every directory on a path is to be guarded. */
  List<DirectoryTrust.Token> restsOn() {
    return restsOn;
  }

  /** Null where nobody rests on directories that are not guarded. */
  DirectoryTrust trust() {
    return context.trust();
  }

  /** Ids of directories whose own rows this operation writes; not of new ones. */
  Set<Long> changedDirectories() {
    return changedDirectories;
  }

  private void noteChange(Inode inode) {
    if (inode instanceof DirectoryInode) {
      if (changedDirectories.isEmpty()) {
        changedDirectories = new HashSet<>();
      }
      changedDirectories.add(inode.id());
    }
  }

  // ---- paths

  /** Shows the first path that is followed to a watcher, before it is judged in any way. */
  void onFirstPath(Consumer<ResolvedPath> watcher) {
    firstPathWatcher = watcher;
  }

  /**
   * Follows a path and checks that the caller may traverse it.
   *
   * @throws org.apache.hadoop.fs.InvalidPathException for a name that cannot be created
   * @throws org.apache.hadoop.security.AccessControlException when a directory on the way may not
   *     be traversed, or, unless for CREATE, is no directory
   * @throws org.apache.hadoop.fs.ParentNotDirectoryException for CREATE below a file
   * @throws org.apache.hadoop.hdfs.protocol.UnresolvedPathException for a symbolic link on the way,
   *     or at its end unless the use wants the link itself
   */
  public ResolvedPath resolve(String path, PathUse use) throws IOException {
    return new PathResolver(this).resolve(path, use);
  }

  /**
   * Finds a file that is being written, wherever it was renamed to.
   *
   * @param fileId 0 from clients that know none: then the path alone counts
   */
  public ResolvedPath resolve(String path, long fileId) throws IOException {
    return new PathResolver(this).resolve(path, fileId);
  }

  /** The place of an inode; null when there is none with this id, or when it was deleted. */
  public ResolvedPath resolve(long inodeId) {
    return new PathResolver(this).resolve(inodeId);
  }

  /**
   * The last name of a path below {@code /.reserved}, with an inode id replaced by its name.
   *
   * @throws java.io.FileNotFoundException when there is no such inode
   */
  public byte[] nameBehindReserved(String path) throws IOException {
    return new PathResolver(this).nameBehindReserved(path);
  }

  /**
   * Follows a path to an entry of a directory, guarding all that is found; null where it is none.
   *
   * @param expectsNothing most often there is no such entry: it may be taken for granted
   */
  ResolvedPath follow(String path, boolean expectsNothing) {
    ResolvedPath followed =
        context.directories().follow(this, path, expectsNothing && context.hasRemoteReads());
    return followed == null ? null : followed(followed);
  }

  /** Follows names from the root, guarding all that is found. */
  ResolvedPath walk(List<byte[]> names) {
    List<Inode> inodes = new ArrayList<>(names.size() + 1);
    Inode inode = root();
    inodes.add(inode);
    for (byte[] name : names) {
      inode = inode instanceof DirectoryInode directory ? child(directory, name) : null;
      if (inode == null) {
        break;
      }
      inodes.add(inode);
    }
    return followed(new ResolvedPath(names, inodes));
  }

  private ResolvedPath followed(ResolvedPath path) {
    quotas.look(path);
    if (path.exists()) {
      subject = path.inode();
    }
    showToWatcher(path);
    return path;
  }

  private void showToWatcher(ResolvedPath path) {
    if (firstPathWatcher != null) {
      Consumer<ResolvedPath> watcher = firstPathWatcher;
      firstPathWatcher = null;
      watcher.accept(path);
    }
  }

  /** Where an id leads may change between two attempts of a call; the root stays. */
  void showRoot() {
    if (firstPathWatcher != null) {
      showToWatcher(new ResolvedPath(List.of(), List.of(root())));
    }
  }

  DirectoryInode root() {
    return rootOf(transaction.get(Root.KEY));
  }

  DirectoryInode rootOf(byte[] row) {
    if (row == null) {
      throw new StoreException("The namespace has no root: the store is not formatted");
    }
    return (DirectoryInode) codec.decode(row);
  }

  /** Null where there is none. Guarded either way. */
  public Inode child(DirectoryInode directory, byte[] name) {
    return inodeOf(rows.get(directory, name));
  }

  /**
   * Names the entries that are going to be looked at, so that an engine far away can be asked for
   * all of them at once.
   */
  public void readAhead(String... paths) {
    if (context.hasRemoteReads()) {
      List<Key> keys = context.directories().keysOf(this, paths);
      if (keys.size() > 1) {
        transaction.readAhead(keys);
      }
    }
  }

  /**
   * Names a file that is going to be looked at with its blocks: where it is remembered which these
   * are, an engine far away is asked for all at once.
   */
  public void readAheadWithBlocks(String path) {
    List<Key> keys =
        context.hasRemoteReads() ? context.directories().keysOf(this, path) : List.of();
    byte[] row = keys.isEmpty() ? null : transaction.remembered(keys.get(0));
    if (inodeOf(row) instanceof FileInode file && file.blocks().size() <= MOST_BLOCKS_GUESSED) {
      file.blocks().forEach(block -> keys.addAll(blocks().rowsOf(block.id())));
      if (keys.size() > 1) {
        transaction.readAhead(keys);
      }
    }
  }

  /**
   * Names the blocks of a file that the reply will contain. An engine on other servers then reads
   * all of them that it has not read yet. The transaction guards rows of blocks that do not alone
   * show that they are of the file's moment, as it guards the file.
   *
   * @return whether all rows show it
   */
  public boolean readAhead(FileInode file, Supplier<? extends Collection<FileBlock>> told) {
    if (!context.hasRemoteReads()) {
      return true;
    }
    List<FileBlock> wanted = List.copyOf(told.get());
    for (int i = 0; i < wanted.size(); i += MOST_BLOCKS_AHEAD) {
      transaction.readAhead(
          rowsOf(wanted.subList(i, Math.min(wanted.size(), i + MOST_BLOCKS_AHEAD))));
    }
    return settle(file, wanted);
  }

  private boolean settle(FileInode file, List<FileBlock> told) {
    Reader ahead = transaction.rowsAhead();
    boolean areSettled = true;
    for (FileBlock block : told) {
      if (ahead == null || !blocks().tellsOf(ahead, file, block)) {
        rowsOf(List.of(block)).forEach(transaction::get);
        areSettled = false;
      }
    }
    return areSettled;
  }

  private List<Key> rowsOf(List<FileBlock> wanted) {
    return wanted.stream().flatMap(block -> blocks().rowsOf(block.id()).stream()).toList();
  }

  /**
   * The same for the files in a page of a listing, in the state that the listing saw. For a file
   * whose blocks have changed meanwhile, the page shows the current state.
   *
   * @return those that are still there
   */
  public List<Directories.NamedInode> readAhead(
      DirectoryInode directory, List<Directories.NamedInode> entries) {
    if (moment() != null) {
      return entries; // it has the blocks as well
    }
    List<FileBlock> all = new ArrayList<>();
    entries.forEach(entry -> all.addAll(blocksOf(entry.inode())));
    for (int i = 0; i < all.size(); i += MOST_BLOCKS_AHEAD) {
      transaction.readAhead(rowsOf(all.subList(i, Math.min(all.size(), i + MOST_BLOCKS_AHEAD))));
    }
    List<Directories.NamedInode> settled = new ArrayList<>(entries.size());
    for (Directories.NamedInode entry : entries) {
      Inode told = entry.inode();
      if (told instanceof FileInode file && !settle(file, file.blocks())) {
        told = child(directory, entry.name());
        if (told instanceof FileInode now && now.id() == file.id()) {
          readAhead(now, now::blocks);
        } else {
          told = null; // it is gone from there, and so are its blocks, or it was moved
        }
      }
      if (told != null) {
        settled.add(new Directories.NamedInode(entry.name(), told, entry.storedBytes()));
      }
    }
    return settled;
  }

  private static List<FileBlock> blocksOf(Inode inode) {
    return inode instanceof FileInode file ? file.blocks() : List.of();
  }

  /** Null for no row. */
  Inode inodeOf(byte[] row) {
    return row == null ? null : codec.decode(row);
  }

  Inode inodeOf(RowView row) {
    return codec.decode(row.valueBuffer(), row.valueOffset(), row.valueLength());
  }

  /** Where a file or directory is, without a guard; null when it is not there any more. */
  public PeekedPath peekPath(long inodeId) {
    return PeekedPath.of(transaction, codec, inodeId);
  }

  InodeLocation location(long inodeId) {
    byte[] row = transaction.get(NamespaceKeys.inode(inodeId));
    return row == null ? null : InodeLocation.decode(row);
  }

  // ---- attributes

  /**
   * @param directoryPolicyId storage policy of its directory, which it inherits
   */
  public InodeStatus status(byte[] localName, Inode inode, byte directoryPolicyId) {
    byte ownPolicyId = inode.features().storagePolicyId();
    byte policyId =
        ownPolicyId == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            ? directoryPolicyId
            : ownPolicyId;
    long modificationTimeMs = inode.attributes().modificationTimeMs();
    if (inode instanceof DirectoryInode directory) {
      DirectoryCounters counters = directories().counters(directory);
      return new InodeStatus(
          localName,
          inode,
          Math.max(modificationTimeMs, counters.modificationTimeMs()),
          (int) Math.min(Integer.MAX_VALUE, counters.entries()),
          policyId);
    }
    return inode instanceof SymlinkInode
        ? new InodeStatus(localName, inode, modificationTimeMs, 0)
        : new InodeStatus(localName, inode, modificationTimeMs, 0, policyId);
  }

  /**
   * The status of an inode asked for by its path.
   *
   * @param inode what the path leads to, or what this operation puts there
   */
  public InodeStatus status(ResolvedPath path, Inode inode) {
    return status(NO_NAME, inode, path.inheritedStoragePolicyId());
  }

  // ---- writing

  /** Adds a new inode. */
  public void add(DirectoryInode directory, byte[] name, Inode inode) {
    transaction.writeBefore(
        NamespaceKeys.inode(inode.id()), new InodeLocation(directory.locator(), name).encode());
    putNew(directory, name, inode);
    quotas.add(directory, inode);
    if (inode instanceof DirectoryInode added) {
      newestDirectory = added;
      if (!added.buckets().isOne()) {
        transaction.put(NamespaceKeys.header(added.locator()), added.buckets().encode());
      }
    }
  }

  /** An index row of answers becomes known once the operation is committed. */
  void noteIndexed(Repetitions.Indexed row) {
    newlyIndexed = row;
  }

  /** Null where there is none. */
  Repetitions.Indexed newlyIndexed() {
    return newlyIndexed;
  }

  /** What this operation is about: the inode that it wrote last, or else found last; or null. */
  Inode subject() {
    return subject;
  }

  /** The last directory that this operation added; null where it added none. */
  DirectoryInode newestDirectory() {
    return newestDirectory;
  }

  /**
   * Moves an inode to another name. Its location is not an index row here: one that ran ahead of a
   * rename which then failed would hide the inode from those who know it by id.
   */
  public void move(
      DirectoryInode from, byte[] oldName, DirectoryInode to, byte[] newName, Inode inode) {
    noteChange(inode);
    detach(from, oldName);
    transaction.replace(
        NamespaceKeys.inode(inode.id()), new InodeLocation(to.locator(), newName).encode());
    putNew(to, newName, inode);
    quotas.move(from, to, inode);
  }

  /** Replaces an entry by a new state of the same inode. */
  public void update(DirectoryInode directory, byte[] name, Inode inode) {
    noteChange(inode);
    subject = inode;
    Key key = rows.ofExisting(directory, name);
    transaction.put(key, codec.encode(inode));
    if (inode instanceof FileInode file && quotas.update(directory, file)) {
      transaction.accumulate(EntryRows.countersBeside(directory, key), DirectoryCounters.touch());
    }
  }

  private void putNew(DirectoryInode directory, byte[] name, Inode inode) {
    subject = inode;
    Key key = EntryRows.ofNew(directory, name);
    transaction.put(key, codec.encode(inode));
    count(directory, key, 1);
    if (settings().directories().splitThreshold() > 0) {
      context.splitCandidates().note(directory, key);
    }
  }

  /** Replaces the inode that a path leads to by a new state of it. */
  public void update(ResolvedPath path, Inode inode) {
    if (path.isRoot()) {
      noteChange(inode);
      subject = inode;
      transaction.put(Root.KEY, codec.encode(inode));
    } else {
      update(path.parentDirectory(), path.name(), inode);
    }
  }

  private void detach(DirectoryInode directory, byte[] name) {
    Key key = rows.ofExisting(directory, name);
    transaction.delete(key);
    count(directory, key, -1);
  }

  /**
   * Removes an entry and all that belongs to it: the blocks of a file, and, in the background, what
   * is below a directory.
   */
  public void remove(DirectoryInode directory, byte[] name, Inode inode) {
    noteChange(inode);
    detach(directory, name);
    quotas.remove(directory, inode);
    new Removal(this).release(inode);
  }

  /** Notes that a file is open for writing. */
  public void rememberOpenFile(long fileId, String clientName) {
    transaction.writeBefore(
        NamespaceKeys.openFile(fileId), new OpenFile(clientName, false).encode());
  }

  /** Notes that an open file is to be closed without its writer. */
  public void rememberRecovery(long fileId, String clientName) {
    beganRecovery = true;
    transaction.writeBefore(
        NamespaceKeys.openFile(fileId), new OpenFile(clientName, true).encode());
  }

  public void forgetOpenFile(long fileId) {
    transaction.deleteAfter(NamespaceKeys.openFile(fileId));
  }

  /**
   * Gives a directory other buckets.
   *
   * @param directory the inode that the path leads to, with what else is new in it
   * @return the inode as it is now
   */
  public DirectoryInode setBuckets(ResolvedPath path, DirectoryInode directory, Buckets buckets) {
    DirectoryInode changed = rows.setBuckets(directory, buckets);
    update(path, changed);
    return changed;
  }

  /** Sets a directory's modification time, earlier ones included. */
  public void setModificationTime(ResolvedPath path, DirectoryInode directory, long timeMs) {
    rows.forgetModificationTime(directory, timeMs);
    update(path, directory.with(directory.attributes().withModificationTimeMs(timeMs)));
  }

  private void count(DirectoryInode directory, Key entry, int entries) {
    transaction.accumulate(
        EntryRows.countersBeside(directory, entry), DirectoryCounters.delta(entries, nowMs));
  }

  /** A new directory, not yet in the tree. */
  public DirectoryInode newDirectory(
      DirectoryInode parent, byte[] name, Inode.Attributes attributes) {
    long id = nextInodeId(parent, name);
    return new DirectoryInode(
        id,
        context.newLocator(parent, id),
        attributes,
        Buckets.uniform(settings().directories().firstBuckets()));
  }
}
