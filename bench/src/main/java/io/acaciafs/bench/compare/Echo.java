package io.acaciafs.bench.compare;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The echo in a process of its own. */
record Echo(JavaProgram program, InetSocketAddress address) implements AutoCloseable {

  /**
   * Starts it.
   *
   * @param folder for its output; made
   */
  static Echo start(Path folder, int messageBytes, int threads) throws IOException {
    Files.createDirectories(folder);
    InetSocketAddress address = Listening.freeAddress();
    JavaProgram program =
        JavaProgram.start(
            folder,
            List.of(),
            Contestant.ACACIA.mainClass(),
            List.of(
                "bench",
                "echo",
                "--host=" + address.getAddress().getHostAddress(),
                "--port=" + address.getPort(),
                "--message-bytes=" + messageBytes,
                "--threads=" + threads),
            folder.resolve("output"));
    try {
      Listening.await(address, program);
      return new Echo(program, address);
    } catch (IOException e) {
      program.close();
      throw e;
    }
  }

  long pid() {
    return program.pid();
  }

  @Override
  public void close() throws IOException {
    program.close();
  }
}
