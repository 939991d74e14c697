package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.namespace.op.attribute.CheckReadable;
import io.acaciafs.namespace.op.policy.SetErasureCodingPolicy;
import io.acaciafs.namespace.op.policy.UnsetErasureCodingPolicy;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.AddErasureCodingPoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.AddErasureCodingPoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.DisableErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.DisableErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.EnableErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.EnableErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingCodecsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingCodecsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingPoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingPoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.RemoveErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.RemoveErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.SetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.SetErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.UnsetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.UnsetErasureCodingPolicyResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.common.ECTopologyVerifier;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.security.AccessControlException;

/**
 * Calls about erasure coding, answered as by an HDFS where no policy is enabled: plain replication,
 * which always is, may be set on directories. No policy can be enabled or added yet.
 */
public final class ErasureCodingCalls {
  private final Answers answers;
  private final BlockManager blocks;
  private final String defaultPolicy;

  public ErasureCodingCalls(Answers answers, BlockManager blocks, Configuration conf) {
    this.answers = answers;
    this.blocks = blocks;
    this.defaultPolicy =
        conf.get(
            DFSConfigKeys.DFS_NAMENODE_EC_SYSTEM_DEFAULT_POLICY,
            DFSConfigKeys.DFS_NAMENODE_EC_SYSTEM_DEFAULT_POLICY_DEFAULT);
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("setErasureCodingPolicy", SetErasureCodingPolicyRequestProto.class, this::set)
        .asyncMethod(
            "unsetErasureCodingPolicy", UnsetErasureCodingPolicyRequestProto.class, this::unset)
        .asyncMethod("getErasureCodingPolicy", GetErasureCodingPolicyRequestProto.class, this::get)
        .method("getErasureCodingPolicies", GetErasureCodingPoliciesRequestProto.class, this::all)
        .method("getErasureCodingCodecs", GetErasureCodingCodecsRequestProto.class, this::codecs)
        .method(
            "getECTopologyResultForPolicies",
            GetECTopologyResultForPoliciesRequestProto.class,
            this::topology)
        .method("addErasureCodingPolicies", AddErasureCodingPoliciesRequestProto.class, this::add)
        .method(
            "removeErasureCodingPolicy", RemoveErasureCodingPolicyRequestProto.class, this::remove)
        .method(
            "enableErasureCodingPolicy", EnableErasureCodingPolicyRequestProto.class, this::enable)
        .method(
            "disableErasureCodingPolicy",
            DisableErasureCodingPolicyRequestProto.class,
            this::disable);
  }

  private CompletableFuture<SetErasureCodingPolicyResponseProto> set(
      RpcCall call, SetErasureCodingPolicyRequestProto request) {
    String policy = request.hasEcPolicyName() ? request.getEcPolicyName() : defaultPolicy;
    return answers.done(
        call,
        new SetErasureCodingPolicy(request.getSrc(), policy),
        SetErasureCodingPolicyResponseProto.getDefaultInstance());
  }

  private CompletableFuture<UnsetErasureCodingPolicyResponseProto> unset(
      RpcCall call, UnsetErasureCodingPolicyRequestProto request) {
    return answers.done(
        call,
        new UnsetErasureCodingPolicy(request.getSrc()),
        UnsetErasureCodingPolicyResponseProto.getDefaultInstance());
  }

  /** Absent, as HDFS answers for what is replicated, by a policy or without one. */
  private CompletableFuture<GetErasureCodingPolicyResponseProto> get(
      RpcCall call, GetErasureCodingPolicyRequestProto request) {
    return answers.done(
        call,
        new CheckReadable(request.getSrc(), true),
        GetErasureCodingPolicyResponseProto.getDefaultInstance());
  }

  private GetErasureCodingPoliciesResponseProto all(
      RpcCall call, GetErasureCodingPoliciesRequestProto request) {
    GetErasureCodingPoliciesResponseProto.Builder reply =
        GetErasureCodingPoliciesResponseProto.newBuilder();
    SystemErasureCodingPolicies.getPolicies().stream()
        .sorted(Comparator.comparing(ErasureCodingPolicy::getName))
        .map(ErasureCodingPolicyInfo::new) // disabled
        .map(PBHelperClient::convertErasureCodingPolicy)
        .forEach(reply::addEcPolicies);
    return reply.build();
  }

  private GetErasureCodingCodecsResponseProto codecs(
      RpcCall call, GetErasureCodingCodecsRequestProto request) {
    GetErasureCodingCodecsResponseProto.Builder reply =
        GetErasureCodingCodecsResponseProto.newBuilder();
    CodecRegistry.getInstance()
        .getCodec2CoderCompactMap()
        .forEach(
            (codec, coders) ->
                reply.addCodec(PBHelperClient.convertErasureCodingCodec(codec, coders)));
    return reply.build();
  }

  private GetECTopologyResultForPoliciesResponseProto topology(
      RpcCall call, GetECTopologyResultForPoliciesRequestProto request)
      throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    List<ErasureCodingPolicy> policies = new ArrayList<>();
    for (String name : request.getPoliciesList()) {
      policies.add(policy(name));
    }
    return GetECTopologyResultForPoliciesResponseProto.newBuilder()
        .setResponse(
            PBHelperClient.convertECTopologyVerifierResult(
                ECTopologyVerifier.getECTopologyVerifierResult(
                    blocks.datanodeReport(DatanodeReportType.ALL), policies)))
        .build();
  }

  private static ErasureCodingPolicy policy(String name) {
    ErasureCodingPolicy replication = SystemErasureCodingPolicies.getReplicationPolicy();
    ErasureCodingPolicy policy =
        name.equalsIgnoreCase(replication.getName())
            ? replication
            : SystemErasureCodingPolicies.getByName(name);
    if (policy == null) {
      throw new HadoopIllegalArgumentException(
          "The given erasure coding policy " + name + " does not exist.");
    }
    return policy;
  }

  /** The text of an HDFS whose administrator does not allow it. */
  private AddErasureCodingPoliciesResponseProto add(
      RpcCall call, AddErasureCodingPoliciesRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    AddErasureCodingPoliciesResponseProto.Builder reply =
        AddErasureCodingPoliciesResponseProto.newBuilder();
    request.getEcPoliciesList().stream()
        .map(PBHelperClient::convertErasureCodingPolicy)
        .map(
            policy ->
                new AddErasureCodingPolicyResponse(
                    policy, "Addition of user defined erasure coding policy is disabled."))
        .map(PBHelperClient::convertAddErasureCodingPolicyResponse)
        .forEach(reply::addResponses);
    return reply.build();
  }

  private RemoveErasureCodingPolicyResponseProto remove(
      RpcCall call, RemoveErasureCodingPolicyRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    requireOfHdfs(request.getEcPolicyName());
    throw new HadoopIllegalArgumentException(
        "System erasure coding policy " + request.getEcPolicyName() + " cannot be removed");
  }

  private EnableErasureCodingPolicyResponseProto enable(
      RpcCall call, EnableErasureCodingPolicyRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    requireOfHdfs(request.getEcPolicyName());
    throw NotYet.refusal("the erasure coding policy " + request.getEcPolicyName());
  }

  /** None is enabled, so there is nothing to do. */
  private DisableErasureCodingPolicyResponseProto disable(
      RpcCall call, DisableErasureCodingPolicyRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    requireOfHdfs(request.getEcPolicyName());
    return DisableErasureCodingPolicyResponseProto.getDefaultInstance();
  }

  private static void requireOfHdfs(String name) {
    if (SystemErasureCodingPolicies.getByName(name) == null) {
      throw new HadoopIllegalArgumentException("The policy name " + name + " does not exist");
    }
  }
}
