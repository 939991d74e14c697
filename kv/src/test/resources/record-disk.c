/*
 * Records what a process does to the files below one folder, in the order in which it did it, so
 * that a test can make up what a disk would hold if the power had failed. For LD_PRELOAD.
 *
 * DISK_FOLDER   the folder; files elsewhere are not looked at
 * DISK_TRACE    the file that gets the records
 * DISK_FAIL     which call fails: what,errno,suffix,number; for example sync,5,.commits,7
 *
 * A write is recorded when it is done, a sync when it begins and when it ends: a sync covers what
 * was recorded before it began. A record is little endian: type (1), inode (8), two numbers (8, 8),
 * the lengths of two texts (4, 4), the texts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FDS 65536
#define EXPORT __attribute__((visibility("default")))
#define REAL(name) ((__typeof__(&name))real(#name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t inode_of[MOST_FDS]; /* 0: not of the folder */
static char is_folder[MOST_FDS];
static int trace = -1;
static char folder[PATH_MAX];
static uint64_t syncs;
static char fail_what[16], fail_suffix[64];
static int fail_errno, fail_number;

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) {
    abort();
  }
  return found;
}

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("DISK_FOLDER");
  const char *to = getenv("DISK_TRACE");
  const char *fail = getenv("DISK_FAIL");
  if (where == NULL || to == NULL) {
    return;
  }
  snprintf(folder, sizeof folder, "%s", where);
  trace = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fail != NULL) {
    sscanf(fail, "%15[^,],%d,%63[^,],%d", fail_what, &fail_errno, fail_suffix, &fail_number);
  }
}

static void put(char type, uint64_t inode, uint64_t a, uint64_t b, const void *one, uint32_t one_len,
                const void *two, uint32_t two_len) {
  char head[33];
  struct iovec parts[3] = {{head, sizeof head}, {(void *)one, one_len}, {(void *)two, two_len}};
  head[0] = type;
  memcpy(head + 1, &inode, 8);
  memcpy(head + 9, &a, 8);
  memcpy(head + 17, &b, 8);
  memcpy(head + 25, &one_len, 4);
  memcpy(head + 29, &two_len, 4);
  if (syscall(SYS_writev, trace, parts, 3) != (long)(sizeof head + one_len + two_len)) {
    abort();
  }
}

/* The absolute path of a name, if it is of the folder. */
static int absolute(int at, const char *name, char *path) {
  if (trace < 0 || name == NULL) {
    return 0;
  }
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
  } else {
    char base[PATH_MAX], link[64];
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) {
      return 0;
    }
    base[length] = 0;
    if (snprintf(path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) {
      return 0;
    }
  }
  for (char *twice; (twice = strstr(path, "//")) != NULL;) {
    memmove(twice, twice + 1, strlen(twice));
  }
  size_t length = strlen(path);
  if (length > 1 && path[length - 1] == '/') {
    path[length - 1] = 0;
  }
  size_t prefix = strlen(folder);
  return strncmp(path, folder, prefix) == 0 && (path[prefix] == '/' || path[prefix] == 0);
}

static const char *below(const char *path) {
  const char *rest = path + strlen(folder);
  return *rest == '/' ? rest + 1 : rest;
}

static void put_path(char type, uint64_t inode, const char *path) {
  put(type, inode, 0, 0, below(path), strlen(below(path)), NULL, 0);
}

static uint64_t tracked(int fd) { return fd >= 0 && fd < MOST_FDS ? inode_of[fd] : 0; }

/* Whether a call on a file is to fail; sets errno. Under the lock. */
static int fails(const char *what, int fd) {
  if (fail_number <= 0 || strcmp(what, fail_what) != 0) {
    return 0;
  }
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) {
    return 0;
  }
  path[length] = 0;
  size_t suffix = strlen(fail_suffix);
  if ((size_t)length < suffix || strcmp(path + length - suffix, fail_suffix) != 0) {
    return 0;
  }
  if (--fail_number > 0) {
    return 0;
  }
  if (fail_errno == ENOSPC) {
    fail_number = 1; /* a disk stays full */
  }
  errno = fail_errno;
  return 1;
}

/* ---- opening */

static int opened(int at, const char *name, int flags, mode_t mode, int (*call)(int, const char *, int, mode_t)) {
  char path[PATH_MAX];
  if (!absolute(at, name, path)) {
    return call(at, name, flags, mode);
  }
  pthread_mutex_lock(&lock);
  struct stat before;
  int was_there = lstat(path, &before) == 0;
  int fd = call(at, name, flags, mode);
  int saved = errno;
  struct stat now;
  if (fd >= 0 && fd < MOST_FDS && fstat(fd, &now) == 0) {
    if (S_ISREG(now.st_mode) || S_ISDIR(now.st_mode)) {
      inode_of[fd] = now.st_ino;
      is_folder[fd] = S_ISDIR(now.st_mode);
      if (!was_there) {
        put_path('C', now.st_ino, path);
      } else if (flags & O_TRUNC) {
        put('T', now.st_ino, 0, 0, NULL, 0, NULL, 0);
      }
    }
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return fd;
}

static int do_openat(int at, const char *name, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, at, name, flags | O_LARGEFILE, mode);
}

#define MODE(flags)                        \
  mode_t mode = 0;                         \
  if (flags & (O_CREAT | __O_TMPFILE)) {   \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }

EXPORT int open(const char *name, int flags, ...) { MODE(flags) return opened(AT_FDCWD, name, flags, mode, do_openat); }
EXPORT int open64(const char *name, int flags, ...) { MODE(flags) return opened(AT_FDCWD, name, flags, mode, do_openat); }
EXPORT int openat(int at, const char *name, int flags, ...) { MODE(flags) return opened(at, name, flags, mode, do_openat); }
EXPORT int openat64(int at, const char *name, int flags, ...) { MODE(flags) return opened(at, name, flags, mode, do_openat); }
EXPORT int __open_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0, do_openat); }
EXPORT int __open64_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0, do_openat); }
EXPORT int creat(const char *name, mode_t mode) { return opened(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode, do_openat); }

EXPORT int close(int fd) {
  if (tracked(fd)) {
    pthread_mutex_lock(&lock);
    inode_of[fd] = 0;
    pthread_mutex_unlock(&lock);
  }
  return REAL(close)(fd);
}

EXPORT int dup2(int from, int to) {
  int fd = REAL(dup2)(from, to);
  if (fd >= 0 && fd < MOST_FDS && from >= 0 && from < MOST_FDS) {
    pthread_mutex_lock(&lock);
    inode_of[fd] = inode_of[from];
    is_folder[fd] = is_folder[from];
    pthread_mutex_unlock(&lock);
  }
  return fd;
}

/* ---- writing */

static ssize_t wrote(int fd, ssize_t done, const struct iovec *parts, int count, off_t at) {
  int saved = errno;
  for (int i = 0; i < count && done > 0; i++) {
    ssize_t part = (ssize_t)parts[i].iov_len < done ? (ssize_t)parts[i].iov_len : done;
    put('W', inode_of[fd], (uint64_t)at, 0, parts[i].iov_base, (uint32_t)part, NULL, 0);
    at += part;
    done -= part;
  }
  errno = saved;
  return 0;
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t at) {
  pthread_mutex_lock(&lock);
  ssize_t done = -1;
  if (!fails("write", fd)) {
    done = at < 0 ? syscall(SYS_writev, fd, parts, count)
                  : syscall(SYS_pwritev, fd, parts, count, (unsigned long)at, 0UL);
    if (done > 0) {
      off_t begin = at < 0 ? lseek(fd, 0, SEEK_CUR) - done : at;
      wrote(fd, done, parts, count, begin);
    }
  }
  pthread_mutex_unlock(&lock);
  return done;
}

EXPORT ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return tracked(fd) ? write_parts(fd, &part, 1, -1) : syscall(SYS_write, fd, bytes, length);
}
EXPORT ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  struct iovec part = {(void *)bytes, length};
  return tracked(fd) ? write_parts(fd, &part, 1, at) : syscall(SYS_pwrite64, fd, bytes, length, at);
}
EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return pwrite(fd, bytes, length, at); }
EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  return tracked(fd) ? write_parts(fd, parts, count, -1) : syscall(SYS_writev, fd, parts, count);
}
EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  return tracked(fd) ? write_parts(fd, parts, count, at) : syscall(SYS_pwritev, fd, parts, count, (unsigned long)at, 0UL);
}
EXPORT ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return pwritev(fd, parts, count, at); }

/* These have a fallback that comes by here. */
EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t length) {
  if (tracked(to)) {
    errno = EINVAL;
    return -1;
  }
  return syscall(SYS_sendfile, to, from, at, length);
}
EXPORT ssize_t sendfile64(int to, int from, off64_t *at, size_t length) { return sendfile(to, from, at, length); }
EXPORT ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length, unsigned flags) {
  if (tracked(to)) {
    errno = ENOSYS;
    return -1;
  }
  return syscall(SYS_copy_file_range, from, from_at, to, to_at, length, flags);
}

EXPORT int ftruncate(int fd, off_t length) {
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_ftruncate, fd, length);
  if (result == 0 && tracked(fd)) {
    put('T', inode_of[fd], (uint64_t)length, 0, NULL, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
EXPORT int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

EXPORT int fallocate(int fd, int mode, off_t at, off_t length) {
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_fallocate, fd, mode, at, length);
  if (result == 0 && tracked(fd) && !(mode & FALLOC_FL_KEEP_SIZE)) {
    put('L', inode_of[fd], (uint64_t)(at + length), 0, NULL, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
EXPORT int fallocate64(int fd, int mode, off64_t at, off64_t length) { return fallocate(fd, mode, at, length); }
EXPORT int posix_fallocate(int fd, off_t at, off_t length) { return fallocate(fd, 0, at, length) == 0 ? 0 : errno; }
EXPORT int posix_fallocate64(int fd, off64_t at, off64_t length) { return posix_fallocate(fd, at, length); }

EXPORT void *mmap64(void *where, size_t length, int protection, int flags, int fd, off64_t at) {
  if (tracked(fd) && (protection & PROT_WRITE) && (flags & MAP_SHARED)) {
    pthread_mutex_lock(&lock);
    put('Z', inode_of[fd], 0, 0, NULL, 0, NULL, 0); /* what is written so is not seen here */
    pthread_mutex_unlock(&lock);
  }
  return (void *)syscall(SYS_mmap, where, length, protection, flags, fd, at);
}
EXPORT void *mmap(void *where, size_t length, int protection, int flags, int fd, off_t at) {
  return mmap64(where, length, protection, flags, fd, at);
}

/* ---- syncing */

static int synced(int fd, long call) {
  uint64_t inode = tracked(fd);
  if (!inode) {
    return (int)syscall(call, fd);
  }
  char link[64], path[PATH_MAX] = "";
  if (is_folder[fd]) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
  }
  pthread_mutex_lock(&lock);
  uint64_t number = ++syncs;
  const char *name = is_folder[fd] ? below(path) : "";
  put('B', inode, number, is_folder[fd], name, strlen(name), NULL, 0);
  int result = fails("sync", fd) ? -1 : 0;
  int saved = errno;
  pthread_mutex_unlock(&lock);
  if (result == 0) {
    result = (int)syscall(call, fd);
    saved = errno;
  }
  pthread_mutex_lock(&lock);
  put('E', inode, number, result == 0 ? 0 : 1, NULL, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

EXPORT int fsync(int fd) { return synced(fd, SYS_fsync); }
EXPORT int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

/* ---- names */

static int two_paths(char type, int at, const char *from, int to_at, const char *to, int flags, long call) {
  char one[PATH_MAX], two[PATH_MAX];
  int is_one = absolute(at, from, one), is_two = absolute(to_at, to, two);
  pthread_mutex_lock(&lock);
  int result = call == SYS_linkat ? (int)syscall(call, at, from, to_at, to, flags)
                                  : (int)syscall(SYS_renameat2, at, from, to_at, to, flags);
  int saved = errno;
  if (result == 0 && is_one && is_two) {
    put(type, 0, 0, 0, below(one), strlen(below(one)), below(two), strlen(below(two)));
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

EXPORT int rename(const char *from, const char *to) { return two_paths('R', AT_FDCWD, from, AT_FDCWD, to, 0, SYS_renameat2); }
EXPORT int renameat(int at, const char *from, int to_at, const char *to) { return two_paths('R', at, from, to_at, to, 0, SYS_renameat2); }
EXPORT int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) { return two_paths('R', at, from, to_at, to, (int)flags, SYS_renameat2); }
EXPORT int link(const char *from, const char *to) { return two_paths('H', AT_FDCWD, from, AT_FDCWD, to, 0, SYS_linkat); }
EXPORT int linkat(int at, const char *from, int to_at, const char *to, int flags) { return two_paths('H', at, from, to_at, to, flags, SYS_linkat); }

static int one_path(char type, int at, const char *name, long call, long argument) {
  char path[PATH_MAX];
  int is_ours = absolute(at, name, path);
  pthread_mutex_lock(&lock);
  int result = (int)syscall(call, at, name, argument);
  int saved = errno;
  if (result == 0 && is_ours) {
    put_path(type, 0, path);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

EXPORT int unlink(const char *name) { return one_path('U', AT_FDCWD, name, SYS_unlinkat, 0); }
EXPORT int unlinkat(int at, const char *name, int flags) { return one_path('U', at, name, SYS_unlinkat, flags); }
EXPORT int rmdir(const char *name) { return one_path('U', AT_FDCWD, name, SYS_unlinkat, AT_REMOVEDIR); }
EXPORT int remove(const char *name) {
  struct stat found;
  return lstat(name, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(name) : unlink(name);
}
EXPORT int mkdir(const char *name, mode_t mode) { return one_path('M', AT_FDCWD, name, SYS_mkdirat, (long)mode); }
EXPORT int mkdirat(int at, const char *name, mode_t mode) { return one_path('M', at, name, SYS_mkdirat, (long)mode); }
