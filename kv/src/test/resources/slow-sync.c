/*
 * Has each sync of a process take longer, while a file says so. For LD_PRELOAD.
 *
 * SLOW_SYNC   the file, with a number of milliseconds; without it syncs take what they take
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
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
