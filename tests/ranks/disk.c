// A bad disk, to be loaded before the C library: whoever forces a file to it whose path fits DISK_FILES waits for
// DISK_SECONDS, or, with DISK_HANGS, stops there.
#define _GNU_SOURCE
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

static void meet_disk(int file) {
  if (!is_bad(file)) return;
  const char *seconds = getenv("DISK_SECONDS");
  if (seconds) usleep((useconds_t)(1e6 * atof(seconds)));
  if (getenv("DISK_HANGS")) raise(SIGSTOP);
}

int fsync(int file) {
  meet_disk(file);
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  meet_disk(file);
  return (int)syscall(SYS_fdatasync, file);
}
