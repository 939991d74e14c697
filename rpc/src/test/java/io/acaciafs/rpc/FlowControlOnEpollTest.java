package io.acaciafs.rpc;

import io.acaciafs.rpc.options.Transport;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where io_uring is to be had, the other transport of Linux would go untested. */
@EnabledOnOs(OS.LINUX)
class FlowControlOnEpollTest extends FlowControlTest {
  @Override
  Transport.Kind transport() {
    return Transport.Kind.EPOLL;
  }
}
