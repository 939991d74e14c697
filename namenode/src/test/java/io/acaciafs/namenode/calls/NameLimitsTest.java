package io.acaciafs.namenode.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import io.acaciafs.namenode.reply.TerseExceptions;
import java.io.File;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.DatanodeLifelineProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor.JavaType;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.tools.GetUserMappingsProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every name in every call has a length limit. */
class NameLimitsTest {
  private final NameLimits limits = new NameLimits();

  /** A field that is text, and the way to it from the request. */
  private record Place(Descriptor request, List<FieldDescriptor> way) {
    FieldDescriptor last() {
      return way.get(way.size() - 1);
    }

    Message request(String text) {
      Object value =
          last().getJavaType() == JavaType.STRING ? text : (Object) ByteString.copyFromUtf8(text);
      for (int i = way.size() - 1; i >= 0; i--) {
        Descriptor owner = i == 0 ? request : way.get(i - 1).getMessageType();
        DynamicMessage.Builder message = DynamicMessage.newBuilder(owner);
        if (way.get(i).isRepeated()) {
          message.addRepeatedField(way.get(i), value);
        } else {
          message.setField(way.get(i), value);
        }
        value = message.buildPartial();
      }
      return (Message) value;
    }
  }

  private static List<Place> places() {
    List<Place> places = new ArrayList<>();
    Stream.of(
            ClientNamenodeProtocol.newReflectiveBlockingService(null),
            DatanodeProtocolService.newReflectiveBlockingService(null),
            NamenodeProtocolService.newReflectiveBlockingService(null))
        .map(BlockingService::getDescriptorForType)
        .flatMap(service -> service.getMethods().stream())
        .forEach(method -> collect(method.getInputType(), places));
    return places;
  }

  private static void collect(Descriptor request, List<Place> places) {
    Deque<List<FieldDescriptor>> ways = new ArrayDeque<>();
    ways.add(List.of());
    while (!ways.isEmpty()) {
      List<FieldDescriptor> way = ways.poll();
      Descriptor owner = way.isEmpty() ? request : way.get(way.size() - 1).getMessageType();
      for (FieldDescriptor field : owner.getFields()) {
        List<FieldDescriptor> next = Stream.concat(way.stream(), Stream.of(field)).toList();
        if (field.getJavaType() == JavaType.MESSAGE && way.size() < 5) {
          ways.add(next);
        } else if (field.getJavaType() == JavaType.STRING
            || field.getJavaType() == JavaType.BYTE_STRING) {
          places.add(new Place(request, next));
        }
      }
    }
  }

  @Test
  void everyNameOfEveryCallIsBounded() {
    List<Place> places = places();
    assertThat(places).hasSizeGreaterThan(200);
    String tooLong = "x".repeat(70_000);
    List<String> free = new ArrayList<>();
    for (Place place : places) {
      try {
        limits.check(place.request(tooLong));
        free.add(place.last().getFullName());
      } catch (HadoopIllegalArgumentException e) {
        assertThat(e)
            .hasMessageStartingWith(place.last().getName() + " is 70000 bytes long, at most ");
      }
    }
    assertThat(free)
        .containsOnly(
            "hadoop.hdfs.XAttrProto.value",
            "hadoop.hdfs.datanode.StorageBlockReportProto.blocksBuffers");
  }

  @Test
  void ordinaryNamesHaveFourKibibytesAndPathsMore() {
    for (Place place : places()) {
      assertThatCode(() -> limits.check(place.request("x".repeat(4096))))
          .doesNotThrowAnyException();
      boolean isName =
          List.of("username", "groupname", "clientName", "holder", "policyName", "storageUuid")
              .contains(place.last().getName());
      if (isName) {
        assertThatThrownBy(() -> limits.check(place.request("x".repeat(4097))))
            .hasMessageContaining("at most 4096 are allowed");
        assertThatThrownBy(() -> limits.check(place.request("\u00e4".repeat(2100))))
            .hasMessageContaining("is 4200 bytes long");
      }
    }
  }

  @Test
  void aServerRefusesThem(@TempDir File folder) throws Exception {
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of())) {
      for (int length : new int[] {5000, 17_000_000}) {
        String name = "x".repeat(length);
        assertThatThrownBy(() -> nameNode.fileSystem().setOwner(new Path("/"), name, null))
            .isInstanceOf(RemoteException.class)
            .hasMessageContaining(
                "username is " + length + " bytes long, at most 4096 are allowed");
        assertThatThrownBy(
                () -> nameNode.fileSystem().getClient().getNamenode().renewLease(name, null))
            .isInstanceOf(RemoteException.class)
            .hasMessageContaining("clientName is " + length + " bytes long");
      }
      nameNode.fileSystem().setOwner(new Path("/"), "x".repeat(4000), null);
    }
  }

  @Test
  void allProtocolsOfAServerHaveThem(@TempDir File folder) throws Exception {
    String name = "x".repeat(5000);
    Configuration conf = new Configuration();
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of())) {
      InetSocketAddress address = nameNode.rpcAddresses().get(0);
      GetUserMappingsProtocol groups =
          NameNodeProxies.createProxy(
                  conf, nameNode.fileSystem().getUri(), GetUserMappingsProtocol.class)
              .getProxy();
      assertThatThrownBy(() -> groups.getGroupsForUser(name))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("user is 5000 bytes long, at most 4096 are allowed");
      RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
      try (GenericRefreshProtocolClientSideTranslatorPB refresh =
          new GenericRefreshProtocolClientSideTranslatorPB(
              RPC.getProxy(GenericRefreshProtocolPB.class, 1, address, conf))) {
        assertThatThrownBy(() -> refresh.refresh(name, new String[0]))
            .hasMessageContaining("identifier is 5000 bytes long, at most 4096 are allowed");
        assertThatThrownBy(() -> refresh.refresh("acacia.backup", new String[] {name}))
            .hasMessageContaining("args is 5000 bytes long, at most 4096 are allowed");
      }
      try (DatanodeLifelineProtocolClientSideTranslatorPB lifelines =
          new DatanodeLifelineProtocolClientSideTranslatorPB(address, conf)) {
        DatanodeRegistration invented =
            new DatanodeRegistration(
                new DatanodeID("127.0.0.1", name, "uuid", 1, 2, 3, 4),
                new StorageInfo(HdfsServerConstants.NodeType.DATA_NODE),
                new ExportedBlockKeys(),
                "3.5.0");
        assertThatThrownBy(
                () -> lifelines.sendLifeline(invented, new StorageReport[0], 0, 0, 0, 0, 0, null))
            .hasMessageContaining("hostName is 5000 bytes long, at most 4096 are allowed");
      }
    }
  }

  @Test
  void aRefusalIsNoBug() {
    assertThat(TerseExceptions.ALL).contains(HadoopIllegalArgumentException.class);
  }
}
