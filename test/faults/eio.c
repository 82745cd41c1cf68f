/* Reads of the database fail with EIO for as long as the file named by EIO_WHILE exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int fd) {
  const char *flag = getenv("EIO_WHILE");
  if (flag == NULL || access(flag, F_OK) != 0) return 0;
  char link[64], path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "parlor.db") != NULL && strstr(path, ".lock") == NULL && strstr(path, "-shm") == NULL;
}

typedef ssize_t (*pread_type)(int, void *, size_t, off_t);
typedef ssize_t (*pread64_type)(int, void *, size_t, off64_t);

ssize_t pread(int fd, void *buffer, size_t count, off_t offset) {
  if (fails(fd)) { errno = EIO; return -1; }
  return ((pread_type)dlsym(RTLD_NEXT, "pread"))(fd, buffer, count, offset);
}

ssize_t pread64(int fd, void *buffer, size_t count, off64_t offset) {
  if (fails(fd)) { errno = EIO; return -1; }
  return ((pread64_type)dlsym(RTLD_NEXT, "pread64"))(fd, buffer, count, offset);
}
