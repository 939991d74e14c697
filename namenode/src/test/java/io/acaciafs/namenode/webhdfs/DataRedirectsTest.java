package io.acaciafs.namenode.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where clients of WebHDFS are sent for bytes. */
class DataRedirectsTest {

  @ParameterizedTest
  @CsvSource({
    "http, http://dn.example.com:9864/webhdfs/v1/a?op=OPEN",
    "https, https://dn.example.com:9865/webhdfs/v1/a?op=OPEN",
  })
  void thePortIsThatOfTheSchemeOfTheRequest(String scheme, String where) throws Exception {
    DatanodeInfo node =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0.1", "dn.example.com", "uuid", 9866, 9864, 9865, 9867))
            .build();
    assertThat(DataRedirects.uri(scheme, node, "/a", "op=OPEN")).hasToString(where);
  }
}
