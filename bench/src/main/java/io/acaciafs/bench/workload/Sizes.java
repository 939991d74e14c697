package io.acaciafs.bench.workload;

/**
 * How much there is.
 *
 * @param directories that hold files
 * @param depth on which level they lie
 * @param filesPerDirectory of the files to read
 * @param files to rename, to remove, and to write where a test is about a number of files
 * @param callsPerTask how often a task of the test of listStatus calls
 */
public record Sizes(
    int directories, int depth, int filesPerDirectory, int files, int callsPerTask) {}
