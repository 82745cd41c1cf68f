/*
 * A disk that can lose power, as a library loaded into a process (LD_PRELOAD).
 *
 * Every write below POWER_LOSS_FOLDER is noted in POWER_LOSS_JOURNAL before it is made, with the bytes it replaces and
 * the bytes it brings. fsync and fdatasync of a file drop the notes of what was written to it before the call; fsync of
 * a folder does the same for files that were created, renamed or deleted in it. After a SIGKILL the notes that are left
 * are exactly what a power loss may take back; `lose-power.ts` does so.
 *
 * Journal files:  f-<inode>-<generation>   records of one file
 *                 d-<inode>-<generation>   lines of one folder: "c inode path", "u keep path", "r keep from > to"
 *                 k-<number>               a hard link to a file that was deleted or renamed over
 *
 * fsync starts a new generation, waits a moment as a disk would, and then deletes the older ones: a write that arrives
 * while fsync runs is not covered by it. The real fsync is skipped, since the page cache survives a SIGKILL.
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
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MAX_FDS 65536
#define MAX_INODES 4096
#define SLOWEST_SYNC_US 3000

typedef struct {
  uint64_t offset, size_before, size_after, old_length, new_length;
} Record;

static char folder[PATH_MAX], journal[PATH_MAX / 2];
static size_t folder_length;
static unsigned char tracked[MAX_FDS];
static struct { ino_t inode; uint64_t generation; } inodes[MAX_INODES];
static int inode_count;
static uint64_t next_number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, sync_lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static ssize_t real_pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  REAL(pwrite64);
  return real(fd, bytes, length, offset);
}

static int real_open(const char *path, int flags, mode_t mode) {
  static int (*real)(const char *, int, ...);
  if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  return real(path, flags, mode);
}

static int real_close(int fd) {
  REAL(close);
  return real(fd);
}

static void fail(const char *what) {
  fprintf(stderr, "power-loss shim: %s: %s\n", what, strerror(errno));
  abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("POWER_LOSS_FOLDER"), *notes = getenv("POWER_LOSS_JOURNAL");
  if (!where || !notes || strlen(notes) >= sizeof journal || !realpath(where, folder)) return;
  strcpy(journal, notes);
  folder_length = strlen(folder);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  next_number = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int is_below(const char *path) {
  return folder_length > 0 && strncmp(path, folder, folder_length) == 0 &&
         (path[folder_length] == '/' || path[folder_length] == 0);
}

/* Absolute path of what may not exist yet: its folder has to. */
static int resolve(const char *path, char *out) {
  char copy[PATH_MAX], parent[PATH_MAX];
  if (strlen(path) >= PATH_MAX) return 0;
  strcpy(copy, path);
  char *slash = strrchr(copy, '/');
  const char *name = slash ? slash + 1 : copy;
  if (slash) *slash = 0;
  if (!realpath(slash ? (copy[0] ? copy : "/") : ".", parent)) return 0;
  return snprintf(out, PATH_MAX, "%s/%s", parent, name) < PATH_MAX && is_below(out);
}

static int is_tracked(int fd) { return fd >= 0 && fd < MAX_FDS && tracked[fd]; }

static void track(int fd) {
  char link[64], path[PATH_MAX];
  if (fd < 0 || fd >= MAX_FDS || folder_length == 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  tracked[fd] = is_below(path);
}

static uint64_t *generation_of(ino_t inode) {
  for (int i = 0; i < inode_count; i++)
    if (inodes[i].inode == inode) return &inodes[i].generation;
  if (inode_count == MAX_INODES) fail("too many files");
  inodes[inode_count].inode = inode;
  inodes[inode_count].generation = next_number++;
  return &inodes[inode_count++].generation;
}

static void journal_path(char *out, char kind, ino_t inode, uint64_t generation) {
  snprintf(out, PATH_MAX, "%s/%c-%lu-%lu", journal, kind, (unsigned long)inode, (unsigned long)generation);
}

static void note(char kind, ino_t inode, const struct iovec *pieces, int count) {
  char path[PATH_MAX];
  journal_path(path, kind, inode, *generation_of(inode));
  int fd = real_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) fail("open of the journal");
  struct stat now;
  fstat(fd, &now);
  off_t at = now.st_size;
  for (int i = 0; i < count; i++) {
    if (real_pwrite(fd, pieces[i].iov_base, pieces[i].iov_len, at) != (ssize_t)pieces[i].iov_len) fail("journal");
    at += pieces[i].iov_len;
  }
  real_close(fd);
}

/* What a change is about to replace. A file opened for writing only is read through a second descriptor. */
static char *read_old(int fd, size_t length, off_t offset) {
  char *old = malloc(length + 1), link[64];
  if (length == 0 || pread64(fd, old, length, offset) == (ssize_t)length) return old;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int again = real_open(link, O_RDONLY, 0);
  if (again < 0 || pread64(again, old, length, offset) != (ssize_t)length) fail("read of what is replaced");
  real_close(again);
  return old;
}

static void note_write(int fd, const void *bytes, size_t length, off_t offset) {
  struct stat before;
  if (fstat(fd, &before) < 0 || !S_ISREG(before.st_mode)) return;
  uint64_t size = before.st_size, end = offset + length;
  uint64_t overlap = (uint64_t)offset < size ? (end < size ? end : size) - offset : 0;
  char *old = read_old(fd, overlap, offset);
  Record record = {offset, size, end > size ? end : size, overlap, length};
  struct iovec pieces[] = {{&record, sizeof record}, {old, overlap}, {(void *)bytes, length}};
  note('f', before.st_ino, pieces, 3);
  free(old);
}

static void note_truncate(int fd, off_t size) {
  struct stat before;
  if (fstat(fd, &before) < 0 || !S_ISREG(before.st_mode)) return;
  uint64_t lost = before.st_size > size ? before.st_size - size : 0;
  char *old = read_old(fd, lost, size);
  Record record = {size, before.st_size, size, lost, 0};
  struct iovec pieces[] = {{&record, sizeof record}, {old, lost}};
  note('f', before.st_ino, pieces, 2);
  free(old);
}

static void note_name(const char *path, const char *line) {
  char parent[PATH_MAX];
  strcpy(parent, path);
  *strrchr(parent, '/') = 0;
  struct stat where;
  if (stat(parent, &where) < 0) return;
  struct iovec pieces[] = {{(void *)line, strlen(line)}};
  note('d', where.st_ino, pieces, 1);
}

/* Keeps what is about to lose its name; 0 when there is nothing. */
static uint64_t keep(const char *path) {
  char kept[PATH_MAX];
  struct stat what;
  if (lstat(path, &what) < 0 || !S_ISREG(what.st_mode)) return 0;
  uint64_t number = next_number++;
  snprintf(kept, sizeof kept, "%s/k-%lu", journal, (unsigned long)number);
  return link(path, kept) == 0 ? number : 0;
}

static int open_tracked(const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  if (!(flags & O_CREAT) || folder_length == 0 || !resolve(path, full)) {
    int fd = real_open(path, flags, mode);
    if (fd >= 0) track(fd);
    return fd;
  }
  pthread_mutex_lock(&lock);
  struct stat before, after;
  int is_new = lstat(full, &before) < 0;
  int cuts = !is_new && (flags & O_TRUNC);
  int fd = real_open(path, flags & ~O_TRUNC, mode);
  if (fd >= 0) {
    track(fd);
    if (is_new && fstat(fd, &after) == 0) {
      char line[PATH_MAX + 64];
      snprintf(line, sizeof line, "c %lu %s\n", (unsigned long)after.st_ino, full);
      note_name(full, line);
    }
    if (cuts) {
      REAL(ftruncate64);
      note_truncate(fd, 0);
      real(fd, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                    \
  int name(const char *path, int flags, ...) {        \
    va_list rest;                                     \
    va_start(rest, flags);                            \
    mode_t mode = mode_of(flags, rest);               \
    va_end(rest);                                     \
    return open_tracked(path, flags, mode);           \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                              \
  int name(int at, const char *path, int flags, ...) {                            \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    mode_t mode = mode_of(flags, rest);                                           \
    va_end(rest);                                                                 \
    if (at == AT_FDCWD || path[0] == '/') return open_tracked(path, flags, mode); \
    REAL(name);                                                                   \
    int fd = real(at, path, flags, mode);                                         \
    if (fd >= 0) track(fd);                                                       \
    return fd;                                                                    \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
  if (fd >= 0 && fd < MAX_FDS) tracked[fd] = 0;
  return real_close(fd);
}

static off_t place_of(int fd) {
  struct stat now;
  if (fcntl(fd, F_GETFL) & O_APPEND) return fstat(fd, &now) < 0 ? 0 : now.st_size;
  return lseek64(fd, 0, SEEK_CUR);
}

#define NOTED(condition, noting, calling) \
  if (!(condition)) return calling;       \
  pthread_mutex_lock(&lock);              \
  noting;                                 \
  __typeof__(calling) result = calling;   \
  int failed = errno;                     \
  pthread_mutex_unlock(&lock);            \
  errno = failed;                         \
  return result

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  NOTED(is_tracked(fd), note_write(fd, bytes, length, place_of(fd)), real(fd, bytes, length));
}

#define PWRITE(name)                                                                                  \
  ssize_t name(int fd, const void *bytes, size_t length, off_t offset) {                              \
    NOTED(is_tracked(fd), note_write(fd, bytes, length, offset), real_pwrite(fd, bytes, length, offset)); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

static void note_pieces(int fd, const struct iovec *pieces, int count, off_t offset) {
  for (int i = 0; i < count; i++) {
    note_write(fd, pieces[i].iov_base, pieces[i].iov_len, offset);
    offset += pieces[i].iov_len;
  }
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
  REAL(writev);
  NOTED(is_tracked(fd), note_pieces(fd, pieces, count, place_of(fd)), real(fd, pieces, count));
}

#define PWRITEV(name)                                                                                 \
  ssize_t name(int fd, const struct iovec *pieces, int count, off_t offset) {                         \
    REAL(name);                                                                                       \
    NOTED(is_tracked(fd), note_pieces(fd, pieces, count, offset), real(fd, pieces, count, offset));   \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

#define FTRUNCATE(name)                                                        \
  int name(int fd, off_t size) {                                               \
    REAL(name);                                                                \
    NOTED(is_tracked(fd), note_truncate(fd, size), real(fd, size));            \
  }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

int unlink(const char *path) {
  REAL(unlink);
  char full[PATH_MAX];
  if (!resolve(path, full)) return real(path);
  pthread_mutex_lock(&lock);
  uint64_t number = keep(full);
  int result = real(path), failed = errno;
  if (result == 0 && number) {
    char line[PATH_MAX + 64];
    snprintf(line, sizeof line, "u %lu %s\n", (unsigned long)number, full);
    note_name(full, line);
  }
  pthread_mutex_unlock(&lock);
  errno = failed;
  return result;
}

int rename(const char *from, const char *to) {
  REAL(rename);
  char source[PATH_MAX], target[PATH_MAX];
  if (!resolve(from, source) || !resolve(to, target)) return real(from, to);
  pthread_mutex_lock(&lock);
  uint64_t number = keep(target);
  int result = real(from, to), failed = errno;
  if (result == 0) {
    char line[2 * PATH_MAX + 64];
    snprintf(line, sizeof line, "r %lu %s > %s\n", (unsigned long)number, source, target);
    note_name(target, line);
  }
  pthread_mutex_unlock(&lock);
  errno = failed;
  return result;
}

static int sync_tracked(int fd) {
  struct stat what;
  if (fstat(fd, &what) < 0) return -1;
  char kind = S_ISDIR(what.st_mode) ? 'd' : 'f', path[PATH_MAX];
  /* One at a time: a later generation never goes before an earlier one. */
  pthread_mutex_lock(&sync_lock);
  pthread_mutex_lock(&lock);
  uint64_t *generation = generation_of(what.st_ino), before = *generation;
  *generation = next_number++;
  pthread_mutex_unlock(&lock);
  usleep(rand() % SLOWEST_SYNC_US);
  journal_path(path, kind, what.st_ino, before);
  REAL(unlink);
  real(path);
  pthread_mutex_unlock(&sync_lock);
  return 0;
}

#define SYNC(name)                                 \
  int name(int fd) {                               \
    REAL(name);                                    \
    return is_tracked(fd) ? sync_tracked(fd) : real(fd); \
  }
SYNC(fsync)
SYNC(fdatasync)
