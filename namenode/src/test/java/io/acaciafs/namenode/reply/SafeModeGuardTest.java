package io.acaciafs.namenode.reply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;

class SafeModeGuardTest {
  @Test
  void everyMethodHasItsText() {
    Map<String, String> texts = new TreeMap<>();
    for (ServiceDescriptor service :
        Set.of(ClientNamenodeProtocol.getDescriptor(), DatanodeProtocolService.getDescriptor())) {
      for (MethodDescriptor method : service.getMethods()) {
        if (SafeModeTexts.methods().contains(method.getName())) {
          Message empty = DynamicMessage.getDefaultInstance(method.getInputType());
          texts.put(method.getName(), SafeModeTexts.of(method.getName(), empty));
        }
      }
    }
    assertThat(texts.keySet()).isEqualTo(new HashSet<>(SafeModeTexts.methods()));
    assertThat(texts.values()).allMatch(text -> !text.isEmpty());
  }

  @Test
  void blocksAreNamedAsHdfsDoes() {
    AbandonBlockRequestProto request =
        AbandonBlockRequestProto.newBuilder()
            .setB(
                ExtendedBlockProto.newBuilder()
                    .setPoolId("BP-1")
                    .setBlockId(7)
                    .setGenerationStamp(1001)
                    .setNumBytes(5))
            .setSrc("/f")
            .setHolder("me")
            .build();
    assertThat(SafeModeTexts.of("abandonBlock", request))
        .isEqualTo("Cannot abandon block BP-1:blk_7_1001 for file/f");
  }
}
