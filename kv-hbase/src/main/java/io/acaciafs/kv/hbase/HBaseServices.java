package io.acaciafs.kv.hbase;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.commit.AwaitedRows;
import io.acaciafs.kv.hbase.commit.CommitRunner;
import io.acaciafs.kv.hbase.commit.CommitThreads;
import io.acaciafs.kv.hbase.commit.Committer;
import io.acaciafs.kv.hbase.commit.RegionCommit;
import io.acaciafs.kv.hbase.commit.RowCaches;
import io.acaciafs.kv.hbase.fence.FencedSender;
import io.acaciafs.kv.hbase.fence.FencingTokens;
import io.acaciafs.kv.hbase.fence.MemberCheck;
import io.acaciafs.kv.hbase.fence.MemberFencing;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.lock.TransactionRecovery;
import io.acaciafs.kv.hbase.read.PageReads;
import io.acaciafs.kv.hbase.read.ReadRetries;
import io.acaciafs.kv.hbase.read.RowReads;
import io.acaciafs.kv.hbase.read.ScanRequests;
import io.acaciafs.kv.hbase.read.SharedReads;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.IdempotentRequests;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.region.UnfencedSender;
import io.acaciafs.kv.hbase.transaction.TransactionContext;
import io.acaciafs.kv.hbase.transaction.UnguardedReads;
import io.acaciafs.kv.hbase.transaction.VersionedReads;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Puts the parts of an open store together, from the bottom up: requests, reads, fencing tokens,
 * locks, commits, transactions.
 */
public final class HBaseServices implements AutoCloseable {
  private final RandomGenerator random = new SecureRandom();
  private final Membership membership = new Membership();
  private final AwaitedRows awaited = new AwaitedRows();
  private final RowCaches caches = RowCaches.empty();
  private final ClusterClient client;
  private final CommitThreads threads;
  private final RegionLocator regions;
  private final FencingTokens tokens;
  private final IdempotentRequests idempotent;
  private final TableClient table;
  private final LockResolver locks;
  private final MemberCheck memberCheck;
  private final CommitRunner commits;
  private final TransactionContext transactions;

  public HBaseServices(HBaseOptions options, AsyncConnection connection) throws IOException {
    client = new ClusterClient(options, connection);
    threads = new CommitThreads(options);
    regions = new RegionLocator(client);
    UnfencedSender unfenced = new UnfencedSender(client, regions);
    idempotent = new IdempotentRequests(client, regions, unfenced, random);
    AssignmentProver prover = new AssignmentProver(client, membership, unfenced, random);

    ReadRetries retries = new ReadRetries(client, regions);
    RequestLimiter readLimiter = RequestLimiter.forReads(client.callbacks());
    ScanRequests scans = new ScanRequests(client, regions.assignments(), prover, retries);
    SharedReads shared = new SharedReads(client, regions, prover, retries, scans, readLimiter);
    RowReads rows = new RowReads(client, membership, shared);
    PageReads pages = new PageReads(client, membership, shared);

    tokens =
        new FencingTokens(
            client, regions, membership, unfenced, rows, threads::runIsolated, random);
    RequestSender sender = new FencedSender(regions, membership, unfenced, tokens);
    table = new TableClient(client, regions, rows, pages, sender);
    locks = new LockResolver(table, random);
    memberCheck = new MemberCheck(membership, idempotent, locks, random);

    RegionCommit regionCommit = new RegionCommit(table, memberCheck, membership, threads, random);
    Committer committer =
        new Committer(table, locks, memberCheck, regionCommit, caches.recent(), random);
    commits =
        new CommitRunner(
            table,
            new CommitRunner.Parts(membership, prover, committer, threads, caches, awaited),
            random);
    transactions =
        new TransactionContext(
            new UnguardedReads(table, locks, membership, threads::checkOpen),
            new VersionedReads(table, locks, caches, awaited, threads::checkOpen),
            commits);
  }

  public ClusterClient client() {
    return client;
  }

  CommitThreads threads() {
    return threads;
  }

  /** The member row that the process is bound to. */
  public Membership membership() {
    return membership;
  }

  public FencingTokens tokens() {
    return tokens;
  }

  public TableClient table() {
    return table;
  }

  public LockResolver locks() {
    return locks;
  }

  public MemberCheck memberCheck() {
    return memberCheck;
  }

  CommitRunner commits() {
    return commits;
  }

  TransactionContext transactions() {
    return transactions;
  }

  /** Finishes what transactions of dead processes left. */
  TransactionRecovery recovery() {
    return new TransactionRecovery(table, locks);
  }

  /** Fences dead processes off. */
  MemberFencing fencing() {
    return new MemberFencing(table, locks, idempotent, random);
  }

  /** Waits for commits in flight; does nothing if the store is closed already. */
  @Override
  public void close() {
    if (threads.close()) {
      client.close();
    }
  }
}
