package io.acaciafs.namenode.monitor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeMXBean;
import org.apache.hadoop.hdfs.server.namenode.NameNodeStatusMXBean;
import org.apache.hadoop.hdfs.server.namenode.metrics.ECBlockGroupsMBean;
import org.apache.hadoop.hdfs.server.namenode.metrics.FSNamesystemMBean;
import org.apache.hadoop.hdfs.server.namenode.metrics.NameNodeMetrics;
import org.apache.hadoop.hdfs.server.namenode.metrics.ReplicatedBlocksMBean;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.lib.MutableRate;

/**
 * The attributes of the beans of Hadoop's NameNode with the kinds of their values in JSON, as its
 * classes declare them.
 */
final class HdfsBeans {
  private HdfsBeans() {}

  /** By the names of beans and of attributes. */
  static Map<String, Map<String, String>> all() {
    return Map.of(
        "NameNodeInfo", declared(NameNodeMXBean.class),
        "NameNodeStatus", declared(NameNodeStatusMXBean.class),
        "FSNamesystemState", declared(FSNamesystemMBean.class),
        "ReplicatedBlocksState", declared(ReplicatedBlocksMBean.class),
        "ECBlockGroupsState", declared(ECBlockGroupsMBean.class),
        "FSNamesystem", measured(FSNamesystem.class),
        "NameNodeActivity", measured(NameNodeMetrics.class));
  }

  private static Map<String, String> declared(Class<?> bean) {
    Map<String, String> attributes = new TreeMap<>();
    for (Method method : bean.getMethods()) {
      attributes.put(method.getName().replaceFirst("^(get|is)", ""), kind(method.getReturnType()));
    }
    return attributes;
  }

  /** What Hadoop's library of metrics makes of annotations. */
  private static Map<String, String> measured(Class<?> source) {
    Map<String, String> attributes = new TreeMap<>();
    for (Method method : source.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Metric.class)) {
        boolean isTag = method.getReturnType() == String.class;
        attributes.put(
            (isTag ? "tag." : "") + name(method, method.getName().replaceFirst("^get", "")),
            kind(method.getReturnType()));
      }
    }
    for (Field field : source.getDeclaredFields()) {
      if (!field.isAnnotationPresent(Metric.class)) {
        continue;
      }
      String name = name(field, field.getName());
      if (field.getType() == MutableRate.class) {
        attributes.put(name + "NumOps", "integer");
        attributes.put(name + "AvgTime", "real");
      } else if (field.getType().getSimpleName().matches("Mutable(Counter|Gauge)(Long|Int)")) {
        attributes.put(name, "integer");
      }
    }
    return attributes;
  }

  private static String name(AnnotatedElement element, String fallback) {
    String[] value = element.getAnnotation(Metric.class).value();
    return value.length == 2
        ? value[0]
        : Character.toUpperCase(fallback.charAt(0)) + fallback.substring(1);
  }

  private static String kind(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "int", "long" -> "integer";
      case "float", "double" -> "real";
      case "boolean" -> "boolean";
      case "String" -> "string";
      default -> "object";
    };
  }
}
