package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.testkit.CrashWorkload;
import java.nio.file.Path;

/** The process that is killed: writes into the folder given, and prints what is durable. */
final class CrashChild {
  /** One acknowledgement is a line of so many digits, so that one cut short is known. */
  static final int DIGITS = 10;

  private CrashChild() {}

  public static void main(String[] arguments) {
    try (RocksDbStore store = SmallStores.open(Path.of(arguments[0]), CrashWorkload.tables())) {
      new CrashWorkload().run(store, number -> System.out.printf("%0" + DIGITS + "d%n", number));
    }
  }
}
