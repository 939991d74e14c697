package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.protocol.BalancerBandwidthCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.FinalizeCommand;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.NNHAStatusHeartbeat;
import org.apache.hadoop.hdfs.server.protocol.RegisterCommand;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.EnumDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DataNodes of Hadoop 2.10 and 3.3 understand all that they are told. */
class OldSoftwareTest extends RepairTestBase {
  /** The values of enums that Hadoop 3 has and 2.10.2 has not. */
  private static final Set<String> NOT_IN_2_10 =
      Set.of("PROVIDED", "NVDIMM", "BlockECReconstructionCommand");

  @ParameterizedTest
  @CsvSource({
    "2.10.2, NVDIMM, DISK",
    "3.3.6, NVDIMM, DISK",
    "3.4.0, NVDIMM, NVDIMM",
    "3.5.0, NVDIMM, NVDIMM",
    "2.10.2, PROVIDED, DISK",
    "3.3.6, PROVIDED, PROVIDED",
    "2.10.2, SSD, SSD",
    "2.10.2, ARCHIVE, ARCHIVE",
    "2.10.2, RAM_DISK, RAM_DISK",
    "2.10.2, DISK, DISK"
  })
  void typesThatItDoesNotKnowAreDisks(String version, StorageType type, StorageType told) {
    assertThat(OldSoftware.told(type, version)).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({"2.10.2, DISK", "3.3.6, DISK", "3.5.0, NVDIMM"})
  void theSourceOfACopyUnderstandsItsTarget(String version, StorageType told) throws Exception {
    FakeDatanode source = node("dn1", "10.0.1.1");
    source.softwareVersion = version;
    source.start();
    Block block = write(1, source);
    FakeDatanode target = node("dn2", "10.0.1.2");
    target.withStorage(StorageType.NVDIMM);
    target.start();
    policyId = HdfsConstants.StoragePolicy.ALL_NVDIMM.value();
    setReplication(block, 2);
    manager.repairNow();

    HeartbeatResponse answer = source.heartbeat(false);
    BlockCommand transfer =
        (BlockCommand)
            Arrays.stream(answer.getCommands())
                .filter(command -> command.getAction() == DatanodeProtocol.DNA_TRANSFER)
                .findFirst()
                .orElseThrow();
    assertThat(transfer.getTargetStorageTypes()).isDeepEqualTo(new StorageType[][] {{told}});
    if (version.startsWith("2.")) {
      assertThat(asIn210(transfer).toString()).contains("storageTypes: DISK");
    }
  }

  @Test
  void everyCommandHasItsNameIn210() throws Exception {
    Block block = new Block(1, 10, GS);
    for (DatanodeCommand command :
        List.of(
            RegisterCommand.REGISTER,
            new FinalizeCommand(IDENTITY.blockPoolId()),
            new BalancerBandwidthCommand(1),
            new BlockCommand(
                DatanodeProtocol.DNA_INVALIDATE, IDENTITY.blockPoolId(), new Block[] {block}),
            new BlockRecoveryCommand(
                List.of(
                    new RecoveringBlock(
                        new ExtendedBlock(IDENTITY.blockPoolId(), block),
                        new DatanodeInfo[0],
                        GS + 1))))) {
      assertThat(asIn210(command).getUnknownFields().asMap()).as(command.toString()).isEmpty();
    }
  }

  /** The command in an answer to a heartbeat; fails where a field that must be there is not. */
  private static DynamicMessage asIn210(DatanodeCommand command) throws Exception {
    byte[] answer =
        HeartbeatResponseProto.newBuilder()
            .addCmds(PBHelper.convert(command))
            .setHaStatus(PBHelper.convert(new NNHAStatusHeartbeat(HAServiceState.ACTIVE, 1)))
            .build()
            .toByteArray();
    DynamicMessage parsed =
        DynamicMessage.parseFrom(
            old(DatanodeProtocolProtos.getDescriptor())
                .findMessageTypeByName("HeartbeatResponseProto"),
            answer);
    return (DynamicMessage)
        parsed.getRepeatedField(parsed.getDescriptorForType().findFieldByName("cmds"), 0);
  }

  /** The messages of a file as 2.10.2 has them, but for fields that it skips. */
  private static FileDescriptor old(FileDescriptor now)
      throws IOException, DescriptorValidationException {
    FileDescriptorProto.Builder file = now.toProto().toBuilder();
    file.getEnumTypeBuilderList().forEach(OldSoftwareTest::withoutNewValues);
    for (DescriptorProto.Builder message : file.getMessageTypeBuilderList()) {
      message.getEnumTypeBuilderList().forEach(OldSoftwareTest::withoutNewValues);
    }
    FileDescriptor[] dependencies = new FileDescriptor[now.getDependencies().size()];
    for (int i = 0; i < dependencies.length; i++) {
      dependencies[i] = old(now.getDependencies().get(i));
    }
    return FileDescriptor.buildFrom(file.build(), dependencies);
  }

  private static void withoutNewValues(EnumDescriptorProto.Builder type) {
    List<EnumValueDescriptorProto> kept =
        type.getValueList().stream()
            .filter(value -> !NOT_IN_2_10.contains(value.getName()))
            .toList();
    type.clearValue().addAllValue(kept);
  }
}
