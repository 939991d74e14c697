package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports that nobody listens on at the moment. */
final class FreePorts {
  private FreePorts() {}

  static int next() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      socket.setReuseAddress(true);
      return socket.getLocalPort();
    }
  }
}
