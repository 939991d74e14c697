/*
 * A disk that is slow, or full, while files say so. For LD_PRELOAD.
 *
 * SLOW_SYNC    the file, with a number of milliseconds by which each sync takes longer
 * FULL_DISK    while this file is there, writes to regular files below DISK fail with ENOSPC
 * DISK         a folder, as an absolute path without links
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void linger(void) {
  const char *name = getenv("SLOW_SYNC");
  char text[16] = {0};
  struct timespec pause;
  long ms;
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  ms = read(file, text, sizeof text - 1) > 0 ? atol(text) : 0;
  close(file);
  pause.tv_sec = ms / 1000;
  pause.tv_nsec = ms % 1000 * 1000000;
  nanosleep(&pause, NULL);
}

static int is_full(int fd) {
  const char *flag = getenv("FULL_DISK");
  const char *disk = getenv("DISK");
  char link[32];
  char path[PATH_MAX];
  struct stat status;
  int kept = errno;
  ssize_t length;
  if (flag == NULL || disk == NULL || access(flag, F_OK) != 0) {
    errno = kept;
    return 0;
  }
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    errno = kept;
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, path, sizeof path - 1);
  errno = kept;
  if (length < 0) {
    return 0;
  }
  path[length] = 0;
  return strncmp(path, disk, strlen(disk)) == 0;
}

EXPORT int fsync(int fd) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  linger();
  return sync(fd);
}

EXPORT int fdatasync(int fd) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  linger();
  return sync(fd);
}

#define FAIL_IF_FULL(fd) \
  if (is_full(fd)) {     \
    errno = ENOSPC;      \
    return -1;           \
  }

EXPORT ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) {
    real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  }
  FAIL_IF_FULL(fd)
  return real(fd, bytes, count);
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);

EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  if (real_pwrite == NULL) {
    real_pwrite = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  }
  FAIL_IF_FULL(fd)
  return real_pwrite(fd, bytes, count, offset);
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (real == NULL) {
    real = (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  }
  FAIL_IF_FULL(fd)
  return real(fd, parts, count);
}

EXPORT int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  static int (*real)(int, int, off64_t, off64_t);
  if (real == NULL) {
    real = (int (*)(int, int, off64_t, off64_t))dlsym(RTLD_NEXT, "fallocate64");
  }
  FAIL_IF_FULL(fd)
  return real(fd, mode, offset, length);
}

EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
  return fallocate64(fd, mode, offset, length);
}
