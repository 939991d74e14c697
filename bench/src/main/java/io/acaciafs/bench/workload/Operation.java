package io.acaciafs.bench.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The benchmarks by name. */
public enum Operation {
  STAT("getFileInfo of random files"),
  OPEN("getBlockLocations of random files"),
  LIST("getListing of random directories"),
  LIST_PAGES("getListing of directories, page after page"),
  CREATE("create of files in all directories in turn; they stay open"),
  MKDIR("mkdirs likewise"),
  RENAME("rename of files in their directory"),
  DELETE("delete of so many files, behind as many to warm up"),
  CREATE_DELETE("create, complete and delete of one empty file after the other"),
  MIX("stat 47, open 42, create 3, mkdir 3, rename 2, delete 1"),
  CREATE_WRITE("NNBench: create and complete of empty files in one directory"),
  OPEN_READ("NNBench: open of the files of one directory in order"),
  LIST_STATUS("Giraffa: all tasks start at once, each lists so many files"),
  METARATES("creates and completes, then removes, empty files in one directory");

  private final String description;

  Operation(String description) {
    this.description = description;
  }

  /** One line for people. */
  public String description() {
    return description;
  }

  /** As on the command line: {@code open_read}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The operation of this name, or null. */
  public static @Nullable Operation of(String label) {
    return BY_LABEL.get(label.toLowerCase(Locale.ROOT).replace('-', '_'));
  }

  private static final Map<String, Operation> BY_LABEL =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Operation::label, o -> o));
}
