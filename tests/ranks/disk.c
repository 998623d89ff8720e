// A bad disk, to be loaded before the C library: whoever forces a file to it whose path fits DISK_FILES waits for
// DISK_SECONDS, hears with DISK_FAILS that it could not be done, or, with DISK_HANGS, stops there.
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_bad(int file) {
  const char *pattern = getenv("DISK_FILES");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (!pattern || length < 0) return 0;
  path[length] = 0;
  return fnmatch(pattern, path, FNM_EXTMATCH) == 0;
}

/// Whether it takes what it is given.
static int meet_disk(int file) {
  if (!is_bad(file)) return 1;
  const char *seconds = getenv("DISK_SECONDS");
  if (seconds) usleep((useconds_t)(1e6 * atof(seconds)));
  if (getenv("DISK_HANGS")) raise(SIGSTOP);
  if (!getenv("DISK_FAILS")) return 1;
  errno = EIO;
  return 0;
}

int fsync(int file) {
  return meet_disk(file) ? (int)syscall(SYS_fsync, file) : -1;
}

int fdatasync(int file) {
  return meet_disk(file) ? (int)syscall(SYS_fdatasync, file) : -1;
}
