package io.acaciafs.namespace.context;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RowView;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.namespace.lease.DirectoryLeases;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.InodeCodec;
import io.acaciafs.namespace.settings.NamespaceSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an operation: its transaction, its caller, its time, and rows read as inodes. All
 * parts of an operation work on this class, and it knows none of them. Like its transaction it is
 * used by one thread, once, and does not see its own writes.
 */
public final class OperationContext {
  private final Transaction transaction;
  private final Caller caller;
  private final NamespaceContext namespace;
  private final InodeCodec codec;
  private final long nowMs;
  private final EntryRows rows;
  private final @Nullable List<DirectoryLeases.Token> leased;

  /** Null until it is needed. */
  private @Nullable Reader readView;

  private boolean isReadViewAsked;

  /** Of an operation that guards all that it reads, and takes nothing for what is remembered. */
  public OperationContext(Transaction transaction, Caller caller, NamespaceContext namespace) {
    this(transaction, caller, namespace, null, false);
  }

  /**
   * @param recalls whether the operation is to write, so that it may begin with what is remembered
   * @param leased takes the leased directories that the operation depends on besides its guards;
   *     null: only guards will do
   */
  public OperationContext(
      Transaction transaction,
      Caller caller,
      NamespaceContext namespace,
      @Nullable List<DirectoryLeases.Token> leased,
      boolean recalls) {
    this.transaction = transaction;
    this.caller = caller;
    this.namespace = namespace;
    this.leased = leased;
    this.codec = InodeCodec.in(transaction, namespace.dictionary());
    this.nowMs = namespace.clock().millis();
    this.rows = new EntryRows(transaction, recalls);
  }

  /**
   * The same in a new transaction; what is read there is no guard of this operation.
   *
   * @throws WouldBlockException if it would have to wait
   */
  public OperationContext inNewTransaction() {
    if (!transaction.remoteReads().mayBlock()) {
      throw new WouldBlockException();
    }
    return new OperationContext(namespace.begin(), caller, namespace);
  }

  public Transaction transaction() {
    return transaction;
  }

  public Caller caller() {
    return caller;
  }

  public NamespaceSettings settings() {
    return namespace.settings();
  }

  public FileBlocks blocks() {
    return namespace.blocks();
  }

  public InodeCodec codec() {
    return codec;
  }

  /** The time of this operation, since the epoch. */
  public long nowMs() {
    return nowMs;
  }

  /** Finds the row of an entry of a directory. */
  public EntryRows rows() {
    return rows;
  }

  /** Directories that the operation depends on by their leases; null: each one is to be guarded. */
  public @Nullable List<DirectoryLeases.Token> leased() {
    return leased;
  }

  /** Whether each read is a request over a network. */
  public boolean hasRemoteReads() {
    return namespace.hasRemoteReads();
  }

  /** Whether what this process remembers is all there is. */
  public boolean isAlone() {
    return !namespace.isShared();
  }

  // ---- readers

  /**
   * All rows as they were at one moment, the same for the whole operation, from when this is called
   * first; null where the store has no such thing.
   */
  public @Nullable Reader readView() {
    if (readView == null && !isReadViewAsked) {
      readView = transaction.readView();
      isReadViewAsked = true;
    }
    return readView;
  }

  /** The {@link #readView} that this operation has asked for; null if it has none. */
  public @Nullable Reader readViewInUse() {
    return readView;
  }

  /** Reads that guard nothing: of the read view in use, if there is one. */
  public Reader unguarded() {
    return readView == null ? transaction.unguarded() : readView;
  }

  /**
   * Another transaction, which also reads the rows that this operation depends on.
   *
   * @throws WouldBlockException if it would have to wait
   */
  public Transaction beginBeside() {
    if (!transaction.remoteReads().mayBlock()) {
      throw new WouldBlockException();
    }
    transaction.remoteReads().noteReadBeside();
    return namespace.begin();
  }

  // ---- inodes

  public DirectoryInode root() {
    return rootOf(transaction.get(Root.KEY));
  }

  public DirectoryInode rootOf(byte @Nullable [] row) {
    if (row == null) {
      throw new StoreException("The namespace has no root: the store is not formatted");
    }
    return (DirectoryInode) codec.decode(row);
  }

  /** Null where there is none. Guarded either way. */
  public @Nullable Inode child(DirectoryInode directory, byte[] name) {
    return inodeOf(rows.get(directory, name));
  }

  /** Null for no row. */
  public @Nullable Inode inodeOf(byte @Nullable [] row) {
    return row == null ? null : codec.decode(row);
  }

  public Inode inodeOf(RowView row) {
    return codec.decode(row.valueBuffer(), row.valueOffset(), row.valueLength());
  }

  /** Null where there is no inode of this id. Guarded either way. */
  public @Nullable InodeLocation location(long inodeId) {
    byte[] row = transaction.get(NamespaceKeys.inode(inodeId));
    return row == null ? null : InodeLocation.decode(row);
  }

  // ---- ids

  /** For a new inode of this name. */
  public long nextInodeId(DirectoryInode directory, byte[] name) {
    return namespace.nextInodeId(EntryRows.ofNew(directory, name));
  }

  public long nextBlockId() {
    return namespace.nextId(IdKind.BLOCK);
  }

  public long nextJobId() {
    return namespace.nextId(IdKind.JOB);
  }

  /** Where the entries of a new directory will lie. */
  public Locator newLocator(DirectoryInode parent, long id) {
    return namespace.newLocator(parent, id);
  }
}
