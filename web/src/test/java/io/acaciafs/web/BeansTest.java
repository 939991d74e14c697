package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** Beans are there from registration to close, with the attributes that are known. */
class BeansTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private static Map<String, Object> attributes() {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("Count", 7L);
    attributes.put("Unknown", null);
    attributes.put("Versions", Map.of("3.5.0", 2));
    attributes.put("Types", Map.of("DISK", Map.of("used", 5L)));
    attributes.put("Upgrade", new Bean.Fields(Map.of("startTime", 8L, "created", true)));
    return attributes;
  }

  @Test
  void knownAttributesAreShownAndOthersAreNot() throws Exception {
    ObjectName name = new ObjectName("Hadoop:service=NameNode,name=OfATest");
    try (Beans beans = Beans.register(List.of(Bean.of("OfATest", BeansTest::attributes)))) {
      assertThat(beans).isNotNull();
      assertThat(server.getMBeanInfo(name).getAttributes())
          .extracting("name")
          .containsExactly("Count", "Versions", "Types", "Upgrade");
      assertThat(server.getAttribute(name, "Count")).isEqualTo(7L);
      TabularData types = (TabularData) server.getAttribute(name, "Types");
      CompositeData disk = (CompositeData) types.get(new Object[] {"DISK"}).get("value");
      assertThat(disk.get("used")).isEqualTo(5L);
      CompositeData upgrade = (CompositeData) server.getAttribute(name, "Upgrade");
      assertThat(upgrade.get("startTime")).isEqualTo(8L);
      assertThat(upgrade.get("created")).isEqualTo(true);
    }
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void aSecondNameNodeHasItsOwn() throws Exception {
    List<Bean> beans = List.of(Bean.of("Twice", BeansTest::attributes));
    try (Beans first = Beans.register(beans);
        Beans second = Beans.register(beans)) {
      assertThat(first).isNotSameAs(second);
      assertThat(server.isRegistered(new ObjectName("Hadoop:service=NameNode,name=Twice-1")))
          .isTrue();
    }
  }
}
