package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.RollingUpgrades;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.namenode.audit.Untold;
import io.acaciafs.namenode.backup.RollbackBackup;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code dfsadmin -rollingUpgrade}. Source of the rules and texts: HDFS 3.5's
 * FSNamesystem.startRollingUpgrade, queryRollingUpgrade and finalizeRollingUpgrade; for its
 * rollback image Acacia has a backup. May be repeated: what was done is answered again.
 *
 * <p>Where another NameNode can take over, safe mode has to be off, and the backup is made after
 * the answer. A NameNode that is alone has to be in safe mode, answers when its backup is made, and
 * leaves safe mode.
 */
public final class RollingUpgradeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RollingUpgradeCalls.class);
  private static final long PATIENCE_S = 60;

  private final Callers callers;
  private final SafeModeGuard guard;
  private final RollingUpgrades upgrades;
  private final String blockPoolId;
  private final RollbackBackup backup;
  private final boolean isAlone;
  private final Clock clock;

  /**
   * @param isAlone no other NameNode can ever take over
   */
  public RollingUpgradeCalls(
      Callers callers,
      SafeModeGuard guard,
      BlockManager blocks,
      RollbackBackup backup,
      boolean isAlone,
      Clock clock) {
    this.callers = callers;
    this.guard = guard;
    this.upgrades = blocks.upgrades();
    this.blockPoolId = blocks.versionRequest().getBlockPoolID();
    this.backup = backup;
    this.isAlone = isAlone;
    this.clock = clock;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol.blockingMethod("rollingUpgrade", RollingUpgradeRequestProto.class, this::run);
  }

  private RollingUpgradeResponseProto run(RpcCall call, RollingUpgradeRequestProto request)
      throws IOException {
    RollingUpgrade upgrade =
        switch (request.getAction()) {
          case QUERY -> query(call);
          case START -> start(call);
          case FINALIZE -> finish(call);
        };
    RollingUpgradeResponseProto.Builder reply = RollingUpgradeResponseProto.newBuilder();
    if (upgrade != null) {
      reply.setRollingUpgradeInfo(PBHelperClient.convert(info(upgrade)));
    }
    return reply.build();
  }

  private RollingUpgradeInfo info(RollingUpgrade upgrade) {
    return new RollingUpgradeInfo(
        blockPoolId,
        upgrade.hasBackup() && !upgrade.isFinalized(),
        upgrade.startMs(),
        upgrade.finalizedMs());
  }

  private @Nullable RollingUpgrade query(RpcCall call) throws IOException {
    callers.checkSuperuser(call, "queryRollingUpgrade");
    return underWay();
  }

  /** As the store has it; null where none is under way. */
  private @Nullable RollingUpgrade underWay() {
    return RollingUpgrade.underWay(upgrades.refresh());
  }

  private RollingUpgrade start(RpcCall call) throws IOException {
    callers.checkSuperuser(call, "startRollingUpgrade");
    RollingUpgrade running = underWay();
    if (running != null) {
      call.attach(Untold.CALL);
      return running;
    }
    long nowMs = clock.millis();
    RollingUpgrade begun = isAlone ? startAlone(nowMs) : startAmongSeveral(nowMs);
    LOG.info("Rolling upgrade begun user={} upgrade={}", call.user().getShortUserName(), begun);
    return begun;
  }

  private RollingUpgrade startAlone(long nowMs) throws IOException {
    if (!guard.safeMode().isOn()) {
      throw new IOException("Safe mode should be turned ON in order to create namespace image.");
    }
    RollingUpgrade begun = await(upgrades.begin(nowMs, backup.make(nowMs)));
    guard.safeMode().leave();
    return begun;
  }

  private RollingUpgrade startAmongSeveral(long nowMs) throws IOException {
    if (guard.safeMode().isOn()) {
      throw guard.refusal("Failed to start rolling upgrade");
    }
    backup.check(nowMs);
    RollingUpgrade begun = await(upgrades.begin(nowMs, ""));
    backup.wake();
    return begun;
  }

  private @Nullable RollingUpgrade finish(RpcCall call) throws IOException {
    callers.checkSuperuser(call, "finalizeRollingUpgrade");
    if (underWay() == null) {
      return null;
    }
    if (guard.safeMode().isOn()) {
      throw guard.refusal("Failed to finalize rolling upgrade");
    }
    RollingUpgrade ended = await(upgrades.finish(clock.millis()));
    LOG.info("Rolling upgrade finalized user={} upgrade={}", call.user().getShortUserName(), ended);
    return ended;
  }

  private static <T extends @Nullable Object> T await(CompletableFuture<T> future)
      throws IOException {
    try {
      return Answers.inHdfsTerms(future).get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("The rolling upgrade could not be stored", e.getCause());
    } catch (TimeoutException e) {
      throw new RetriableException("The metadata store does not answer, try again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a rolling upgrade was stored");
    }
  }
}
