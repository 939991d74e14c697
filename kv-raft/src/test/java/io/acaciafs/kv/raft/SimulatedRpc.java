package io.acaciafs.kv.raft;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Has Ratis send its messages through a {@link SimulatedNetwork}. Ratis makes it by its name. */
public final class SimulatedRpc implements RpcType {
  static final String NETWORK = "simulated.network";
  private static final long LONGEST_APPEND_MS = 1_000;

  @Override
  public String name() {
    return SimulatedRpc.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    SimulatedNetwork network = parameters.getNonNull(NETWORK, SimulatedNetwork.class);
    return new ServerFactory() {
      @Override
      public RaftServerRpc newRaftServerRpc(RaftServer server) {
        return new Endpoint(server, network);
      }

      @Override
      public RpcType getRpcType() {
        return SimulatedRpc.this;
      }
    };
  }

  /** One member's end of the network. */
  private final class Endpoint implements RaftServerRpc {
    private final RaftServer server;
    private final SimulatedNetwork network;

    Endpoint(RaftServer server, SimulatedNetwork network) {
      this.server = server;
      this.network = network;
    }

    private <Q, R> R send(ByteString to, Q request, SimulatedNetwork.Handler<Q, R> handler)
        throws IOException {
      return network.send(server.getId(), RaftPeerId.valueOf(to), request, handler);
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
      return send(request.getServerRequest().getReplyId(), request, RaftServer::requestVote);
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
        throws IOException {
      return send(request.getServerRequest().getReplyId(), request, Endpoint::append);
    }

    /** A member that ends meanwhile does not answer. */
    private static AppendEntriesReplyProto append(RaftServer to, AppendEntriesRequestProto request)
        throws IOException {
      try {
        return to.appendEntriesAsync(request).get(LONGEST_APPEND_MS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new TimeoutIOException("No answer from " + to.getId(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted");
      }
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
        throws IOException {
      return send(request.getServerRequest().getReplyId(), request, RaftServer::installSnapshot);
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
        StartLeaderElectionRequestProto request) throws IOException {
      return send(
          request.getServerRequest().getReplyId(), request, RaftServer::startLeaderElection);
    }

    @Override
    public void start() {
      network.join(server);
    }

    @Override
    public void close() {
      network.leave(server);
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
      return InetSocketAddress.createUnresolved(server.getId().toString(), 1);
    }

    @Override
    public void handleException(RaftPeerId member, Exception e, boolean reconnect) {}

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {}

    @Override
    public RpcType getRpcType() {
      return SimulatedRpc.this;
    }
  }
}
