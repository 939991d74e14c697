package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A KDC for programs in processes of their own, with the keys of its principals. */
public interface Kdc extends AutoCloseable {
  /** What its principals end with. */
  String REALM = "@EXAMPLE.COM";

  /** Starts one. */
  @FunctionalInterface
  interface Starter {
    /**
     * @param folder of its files and of the keytabs
     */
    Kdc start(Path folder) throws Exception;
  }

  /** Starts Hadoop's own. */
  Starter HADOOPS = HadoopKdc::new;

  /** Makes principals of one keytab, which has the name of the first. */
  void create(String... principals) throws Exception;

  /** The file with the key of a principal. */
  Path keytab(String principal);

  /** The option by which a JVM finds it. */
  String option();

  /** The variables by which a program of Hadoop has a ticket. */
  Map<String, String> ticket(String principal) throws Exception;

  @Override
  void close() throws IOException;
}
