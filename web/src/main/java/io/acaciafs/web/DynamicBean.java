package io.acaciafs.web;

import java.util.Map;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Bean} as JMX wants it. Who reads a bean asks for its attributes one after the other, so
 * values are kept for a moment. Safe for use by many threads.
 */
final class DynamicBean implements DynamicMBean {
  private static final long KEEP_NANOS = 200_000_000;

  private record Values(Map<String, Object> byName, long atNanos) {}

  private final Bean bean;
  private final LongSupplier nanoClock;
  private volatile @Nullable Values last;
  private volatile boolean shown;

  DynamicBean(Bean bean, LongSupplier nanoClock) {
    this.bean = bean;
    this.nanoClock = nanoClock;
  }

  /** From now on it is asked in earnest, and not for its registration. */
  void shown() {
    shown = true;
  }

  private Map<String, Object> values() {
    if (!shown) {
      return Map.of();
    }
    Values kept = last;
    long now = nanoClock.getAsLong();
    if (kept == null || now - kept.atNanos > KEEP_NANOS) {
      kept = new Values(bean.read(), now);
      last = kept;
    }
    return kept.byName;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes =
        values().entrySet().stream()
            .map(
                entry ->
                    new MBeanAttributeInfo(
                        entry.getKey(),
                        OpenValues.of(entry.getValue()).getClass().getName(),
                        entry.getKey(),
                        true,
                        false,
                        false))
            .toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(bean.name(), "", attributes, null, null, null);
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Object value = values().get(attribute);
    if (value == null) {
      throw new AttributeNotFoundException(attribute);
    }
    return OpenValues.of(value);
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    Map<String, Object> values = values();
    AttributeList found = new AttributeList();
    for (String name : names) {
      Object value = values.get(name);
      if (value != null) {
        found.add(new Attribute(name, OpenValues.of(value)));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " is read only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException(action);
  }
}
