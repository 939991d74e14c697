package io.acaciafs.tools.common;

/**
 * Finds all classes but MapReduce's {@code JobConf}. Hadoop looks for that wherever it makes
 * something from a configuration; where it is there, the defaults of MapReduce and YARN become part
 * of every configuration, and all are read again: twice as much, for settings that nobody asks for.
 */
public final class WithoutMapReduce extends ClassLoader {
  private static final String JOB_CONF = "org.apache.hadoop.mapred.JobConf";

  public WithoutMapReduce(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.equals(JOB_CONF)) {
      throw new ClassNotFoundException(name);
    }
    return super.loadClass(name, resolve);
  }
}
