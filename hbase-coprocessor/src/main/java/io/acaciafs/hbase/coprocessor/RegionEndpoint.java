package io.acaciafs.hbase.coprocessor;

import com.google.protobuf.Service;
import io.acaciafs.hbase.protocol.CommitRequest;
import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.ReadRequest;
import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.CoprocessorException;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The coprocessor of one region. HBase makes it when the region opens, and calls it from many
 * threads.
 */
public final class RegionEndpoint implements RegionCoprocessor, RegionObserver {
  /** Whether HBase authorizes users, by one of its own coprocessors or a site's. */
  private static final String AUTHORIZATION_KEY = "hbase.security.authorization";

  private @Nullable RegionRows rows;
  private @Nullable Region region;
  private boolean isAuthorized;

  /** The rows that a batch of HBase's is about to change, until its end is told. */
  private final Map<MiniBatchOperationInProgress<?>, byte[][]> batches = new ConcurrentHashMap<>();

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment env) throws IOException {
    if (!(env instanceof RegionCoprocessorEnvironment)) {
      throw new CoprocessorException("A table loads this coprocessor, and nothing else");
    }
    region = ((RegionCoprocessorEnvironment) env).getRegion();
    RegionPages pages = new RegionPages(region, PageCache.of(env.getConfiguration()));
    rows = new RegionRows(region, RowCache.of(env.getConfiguration()), pages);
    isAuthorized = env.getConfiguration().getBoolean(AUTHORIZATION_KEY, false);
  }

  @Override
  public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment env) {
    if (rows != null) {
      rows.forgetAll();
    }
  }

  @Override
  public Iterable<Service> getServices() {
    return Collections.singleton(
        new BytesService(
            Map.of(
                RegionService.COMMIT, this::commit,
                RegionService.READ, this::read,
                RegionService.VERSION,
                    any -> RegionService.version().getBytes(StandardCharsets.UTF_8))));
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private byte[] commit(byte[] message) throws IOException {
    CommitRequest request = decoded(message, CommitRequest::decode);
    authorize(request.anyRow());
    return new GroupCommit(startedRegion(), startedRows(), request).run().encode();
  }

  private byte[] read(byte[] message) throws IOException {
    ReadRequest wanted = decoded(message, ReadRequest::decode);
    authorize(wanted.anyRow());
    Region from = startedRegion();
    from.startRegionOperation(); // fails if the region is about to be closed
    try {
      return startedRows().read(wanted).encode();
    } finally {
      from.closeRegionOperation();
    }
  }

  /**
   * Reads one row as the caller, so that the coprocessors that authorize see it: they see neither
   * what comes from memory nor conditions. A user may read all of a table or none of it.
   */
  private void authorize(byte @Nullable [] touched) throws IOException {
    if (isAuthorized && touched != null) {
      Get get = new Get(touched).setCheckExistenceOnly(true);
      for (Family family : Family.values()) {
        get.addFamily(family.bytes());
      }
      startedRegion().get(get);
    }
  }

  private interface Decoder<T> {
    T decode(byte[] message);
  }

  private static <T> T decoded(byte[] message, Decoder<T> decoder) throws IOException {
    try {
      return decoder.decode(message);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("Not a message of this coprocessor's version", e);
    }
  }

  private Region startedRegion() throws IOException {
    return required(region);
  }

  private RegionRows startedRows() throws IOException {
    return required(rows);
  }

  private static <T> T required(@Nullable T part) throws IOException {
    if (part == null) {
      throw new CoprocessorException("The coprocessor was not started");
    }
    return part;
  }

  /** HBase holds the locks of the rows. */
  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    byte[][] changed = new byte[batch.size()][];
    for (int i = 0; i < changed.length; i++) {
      changed[i] = batch.getOperation(i).getRow();
    }
    batches.put(batch, changed);
    Arrays.stream(changed).forEach(startedRows()::beginChange);
  }

  /** HBase calls it after readers see what was written, and after a failure. */
  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    byte[][] changed = batches.remove(batch);
    if (changed != null) {
      Arrays.stream(changed).forEach(startedRows()::endChange);
    }
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> stagingFiles,
      Map<byte[], List<Path>> files)
      throws IOException {
    startedRows().forgetAll();
  }
}
