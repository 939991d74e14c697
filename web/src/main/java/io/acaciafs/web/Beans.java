package io.acaciafs.web;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Beans that a process shows by JMX, and so at {@code /jmx}, from their registration until the
 * close. A second NameNode in one process has its beans under names with a number behind.
 */
public final class Beans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Beans.class);
  private static final int MOST_NAMENODES = 100;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<ObjectName> names = new ArrayList<>();

  private Beans() {}

  /** Shows beans under {@code Hadoop:service=NameNode,name=...}. */
  public static Beans register(List<Bean> beans) {
    Beans registered = new Beans();
    for (Bean bean : beans) {
      registered.register(bean);
    }
    return registered;
  }

  private void register(Bean bean) {
    DynamicBean shown = new DynamicBean(bean, System::nanoTime);
    for (int i = 0; i < MOST_NAMENODES; i++) {
      String name = "Hadoop:service=NameNode,name=" + bean.name() + (i == 0 ? "" : "-" + i);
      try {
        names.add(server.registerMBean(shown, new ObjectName(name)).getObjectName());
        shown.shown();
        return;
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("Bean is there already: name={}", name);
      } catch (JMException e) {
        LOG.warn("Bean could not be shown: name={}", name, e);
        return;
      }
    }
    LOG.warn("Bean is not shown, there are too many of its kind: name={}", bean.name());
  }

  @Override
  public void close() {
    for (ObjectName name : names) {
      try {
        server.unregisterMBean(name);
      } catch (JMException e) {
        LOG.debug("Bean was gone already: name={}", name, e);
      }
    }
    names.clear();
  }
}
