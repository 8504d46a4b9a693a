/* A C library in which calls fail, to be loaded before the system's:
 *   FAIL=write:N   the N-th step of writing a file fails for want of space: making its folder, making the temporary file,
 *                  each write to it, its sync, its renaming; write:N+, all from the N-th on
 *   FAIL=memory:N  the N-th table gets no memory from the system; memory:N+, all from the N-th on
 *   FAIL_TOLD=FILE made when the first call fails
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long asked;
/* Which descriptors are of temporary files. */
static atomic_char is_ours[1 << 16];

static int fails(const char *door) {
    const char *plan = getenv("FAIL");
    size_t length = strlen(door);
    if (!plan || strncmp(plan, door, length) || plan[length] != ':') return 0;
    char *rest;
    long nth = strtol(plan + length + 1, &rest, 10), this = atomic_fetch_add(&asked, 1) + 1;
    if (this < nth || (this > nth && *rest != '+')) return 0;
    const char *told = getenv("FAIL_TOLD");
    if (told) {
        int file = REAL(open64)(told, O_WRONLY | O_CREAT, 0600);
        if (file >= 0) close(file);
    }
    errno = *door == 'w' ? ENOSPC : ENOMEM;
    return 1;
}

static int is_temporary(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".tmp");
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    int counts = flags & O_CREAT && is_temporary(path);
    if (counts && fails("write")) return -1;
    int file = REAL(open64)(path, flags, mode);
    if (file >= 0 && file < 1 << 16) is_ours[file] = counts;
    return file;
}

static int counts(int file) { return file >= 0 && file < 1 << 16 && is_ours[file]; }

ssize_t write(int file, const void *bytes, size_t count) {
    return counts(file) && fails("write") ? -1 : REAL(write)(file, bytes, count);
}

int fsync(int file) { return counts(file) && fails("write") ? -1 : REAL(fsync)(file); }

int rename(const char *from, const char *to) {
    return is_temporary(from) && fails("write") ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode) { return fails("write") ? -1 : REAL(mkdir)(path, mode); }

int close(int file) {
    if (file >= 0 && file < 1 << 16) is_ours[file] = 0;
    return REAL(close)(file);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, off64_t offset) {
    /* Smaller ones are the stacks of signal handlers. */
    if (flags & MAP_ANONYMOUS && protection & PROT_WRITE && length >= 1 << 15 && fails("memory")) return MAP_FAILED;
    return REAL(mmap64)(at, length, protection, flags, file, offset);
}
