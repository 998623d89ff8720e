// A bad disk, to be loaded before the C library: whoever forces a file to it whose path fits DISK_FILES waits
// for DISK_SECONDS, hears with DISK_FAILS that it could not be done, or, with DISK_HANGS, stops there. With
// DISK_OPENS it is who opens such a file to read that waits, and with DISK_REFUSES may not. With
// DISK_READS_FAIL who reads of it hears that it failed.
#undef _FORTIFY_SOURCE  // its inline functions call those that are defined here
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_named(const char* path) {
  const char* pattern = getenv("DISK_FILES");
  return pattern && fnmatch(pattern, path, FNM_EXTMATCH) == 0;
}

static void wait_for_disk(void) {
  const char* seconds = getenv("DISK_SECONDS");
  if (seconds) usleep((useconds_t)(1e6 * atof(seconds)));
}

static int is_bad(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || getenv("DISK_OPENS")) return 0;
  path[length] = 0;
  return is_named(path);
}

/// Whether it takes what it is given.
static int meet_disk(int file) {
  if (!is_bad(file)) return 1;
  wait_for_disk();
  if (getenv("DISK_HANGS")) raise(SIGSTOP);
  if (!getenv("DISK_FAILS")) return 1;
  errno = EIO;
  return 0;
}

int fsync(int file) { return meet_disk(file) ? (int)syscall(SYS_fsync, file) : -1; }

int fdatasync(int file) { return meet_disk(file) ? (int)syscall(SYS_fdatasync, file) : -1; }

static int open_at_disk(const char* path, int flags, mode_t mode) {
  if (getenv("DISK_OPENS") && (flags & O_ACCMODE) == O_RDONLY && is_named(path)) {
    wait_for_disk();
    if (getenv("DISK_REFUSES")) {
      errno = EACCES;
      return -1;
    }
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at_disk(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_at_disk(path, flags | O_LARGEFILE, mode);
}

static ssize_t read_at_disk(int file, void* to, size_t bytes, off_t from) {
  if (getenv("DISK_READS_FAIL") && is_bad(file)) {
    errno = EIO;
    return -1;
  }
  return from < 0 ? syscall(SYS_read, file, to, bytes) : syscall(SYS_pread64, file, to, bytes, from);
}

ssize_t read(int file, void* to, size_t bytes) { return read_at_disk(file, to, bytes, -1); }

ssize_t pread(int file, void* to, size_t bytes, off_t from) { return read_at_disk(file, to, bytes, from); }

ssize_t pread64(int file, void* to, size_t bytes, off64_t from) {
  return read_at_disk(file, to, bytes, from);
}
