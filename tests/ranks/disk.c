// A bad disk, to be loaded before the C library: whoever forces a file to it whose path fits DISK_FILES waits
// for DISK_SECONDS, hears with DISK_FAILS that it could not be done, or, with DISK_HANGS, stops there. With
// DISK_OPENS it is who opens such a file to read that waits, and with DISK_REFUSES may not. With
// DISK_READS_FAIL who reads of it hears that it failed. With DISK_CALLS the calls that change such a file are
// counted and noted in the file of that name, a line each; call DISK_NTH fails, for want of room with
// DISK_FULL, or with DISK_LIES says that it has written, and has flipped a bit.
#undef _FORTIFY_SOURCE  // its inline functions call those that are defined here
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_named(const char* path) {
  const char* pattern = getenv("DISK_FILES");
  return pattern && fnmatch(pattern, path, FNM_EXTMATCH) == 0;
}

static void wait_for_disk(void) {
  const char* seconds = getenv("DISK_SECONDS");
  if (seconds) usleep((useconds_t)(1e6 * atof(seconds)));
}

struct path {
  char text[4096];
};

static struct path path_of(int file) {
  struct path path = {""};
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path.text, sizeof path.text - 1) < 0) path.text[0] = 0;
  return path;
}

static int is_bad(int file) { return !getenv("DISK_OPENS") && is_named(path_of(file).text); }

/// Whether it takes what it is given.
static int meet_disk(int file) {
  if (!is_bad(file)) return 1;
  wait_for_disk();
  if (getenv("DISK_HANGS")) raise(SIGSTOP);
  if (!getenv("DISK_FAILS")) return 1;
  errno = EIO;
  return 0;
}

/// Whether it is this call that goes wrong.
static int is_struck(const char* call, const char* path) {
  static int calls;
  const char *log = getenv("DISK_CALLS"), *nth = getenv("DISK_NTH");
  if (!log || !is_named(path)) return 0;
  const int number = __sync_add_and_fetch(&calls, 1);
  char line[4200];
  snprintf(line, sizeof line, "%d %s %s\n", number, call, path);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  syscall(SYS_write, file, line, strlen(line));
  syscall(SYS_close, file);
  if (!nth || atoi(nth) != number) return 0;
  errno = getenv("DISK_FULL") ? ENOSPC : EIO;
  return 1;
}

static int is_struck_file(const char* call, int file) { return is_struck(call, path_of(file).text); }

/// Files with something written that was not forced to the disk since.
static char unsafe[4096];

static void set_unsafe(int file, int is) {
  if (file >= 0 && file < (int)sizeof unsafe) unsafe[file] = (char)is;
}

int fsync(int file) {
  if (is_struck_file("fsync", file)) return -1;
  set_unsafe(file, 0);
  return meet_disk(file) ? (int)syscall(SYS_fsync, file) : -1;
}

int fdatasync(int file) {
  if (is_struck_file("fdatasync", file)) return -1;
  set_unsafe(file, 0);
  return meet_disk(file) ? (int)syscall(SYS_fdatasync, file) : -1;
}

/// Where nothing is unsafe nothing is lost.
int close(int file) {
  const int is_unsafe = file >= 0 && file < (int)sizeof unsafe && unsafe[file];
  const int fails = is_unsafe && is_struck_file("close", file);
  const int problem = errno;
  set_unsafe(file, 0);
  const int result = (int)syscall(SYS_close, file);
  if (!fails) return result;
  errno = problem;
  return -1;
}

int rename(const char* from, const char* to) {
  return is_struck("rename", to) ? -1 : (int)syscall(SYS_rename, from, to);
}

enum verdict { writes, lies, fails };

static enum verdict verdict_on(const char* call, int file) {
  set_unsafe(file, 1);
  if (!is_struck_file(call, file)) return writes;
  return getenv("DISK_LIES") ? lies : fails;
}

static void flip_bit(const void* of, size_t bytes) {
  if (bytes > 0) ((char*)of)[bytes / 2] ^= 1;
}

/// `from` and `bytes`: what is flipped while a lie is written.
#define AT_DISK(call, file, from, bytes, real)           \
  do {                                                   \
    const enum verdict verdict = verdict_on(call, file); \
    if (verdict == fails) return -1;                     \
    if (verdict == lies) flip_bit(from, bytes);          \
    const ssize_t written = (real);                      \
    if (verdict == lies) flip_bit(from, bytes);          \
    return written;                                      \
  } while (0)

ssize_t write(int file, const void* from, size_t bytes) {
  AT_DISK("write", file, from, bytes, syscall(SYS_write, file, from, bytes));
}

ssize_t pwrite(int file, const void* from, size_t bytes, off_t to) {
  AT_DISK("pwrite", file, from, bytes, syscall(SYS_pwrite64, file, from, bytes, to));
}

ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t to) {
  AT_DISK("pwrite", file, from, bytes, syscall(SYS_pwrite64, file, from, bytes, to));
}

ssize_t writev(int file, const struct iovec* from, int count) {
  AT_DISK("writev", file, from->iov_base, from->iov_len, syscall(SYS_writev, file, from, count));
}

ssize_t pwritev(int file, const struct iovec* from, int count, off_t to) {
  AT_DISK("pwritev", file, from->iov_base, from->iov_len, syscall(SYS_pwritev, file, from, count, to, 0));
}

ssize_t pwritev64(int file, const struct iovec* from, int count, off64_t to) {
  AT_DISK("pwritev", file, from->iov_base, from->iov_len, syscall(SYS_pwritev, file, from, count, to, 0));
}

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
