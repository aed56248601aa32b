// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard.h"

enum { others_write = S_IWGRP | S_IWOTH, others_any = S_IRWXG | S_IRWXO };

static int trusted(uid_t owner) {
    return owner == 0 || owner == geteuid();
}

// Closes a descriptor. Returns the result.
static int closed_with(int descriptor, int result) {
    close(descriptor);
    return result;
}

// The fault of a directory on a path, or 0.
static int parent_fault(const struct stat *status) {
    if (!S_ISDIR(status->st_mode)) return MPIN_UNSAFE_PATH;
    if (!trusted(status->st_uid)) return MPIN_UNSAFE_PARENT;
    int sticky = status->st_uid == 0 && (status->st_mode & S_ISVTX);
    return (status->st_mode & others_write) && !sticky ? MPIN_UNSAFE_PARENT : 0;
}

// The fault of a directory with secrets, or 0.
static int private_fault(const struct stat *status) {
    if (!trusted(status->st_uid)) return MPIN_UNSAFE_OWNER;
    return status->st_mode & others_any ? MPIN_UNSAFE_MODE : 0;
}

// The fault of a directory with secrets at the end of a path, or 0.
static int secret_fault(const struct stat *status) {
    int fault = parent_fault(status);
    return fault != 0 ? fault : private_fault(status);
}

typedef int fault_of(const struct stat *status);

// Opens a directory and checks it through its descriptor. Those on a path are opened with O_PATH, only for searching,
// because they may be unreadable.
static int open_component(int directory, const char *name, int flags, int create, fault_of *fault) {
    const int all = flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int next = openat(directory, name, all);
    if (next < 0 && errno == ENOENT && create) {
        if (mkdirat(directory, name, 0700) != 0 && errno != EEXIST) return -errno;
        next = openat(directory, name, all);
    }
    if (next < 0 && errno == EACCES && !(flags & O_PATH)) {
        // Without the permission to read it, a fault is reported all the same.
        next = open_component(directory, name, O_PATH, 0, fault);
        return next < 0 ? next : closed_with(next, -EACCES);
    }
    if (next < 0) return errno == ELOOP || errno == ENOTDIR ? MPIN_UNSAFE_PATH : -errno;
    struct stat status;
    int found = fstat(next, &status) != 0 ? -errno : fault(&status);
    return found != 0 ? closed_with(next, found) : next;
}

// Opens the directory at the end of a path with `flags`, after checking each directory on the way.
static int walk(const char *path, int flags, int create, fault_of *last_fault) {
    if (path[0] != '/' || strlen(path) >= PATH_MAX) return MPIN_UNSAFE_PATH;
    const char *rest = path + strspn(path, "/");
    if (*rest == '\0') return open_component(AT_FDCWD, "/", flags, 0, last_fault);
    struct stat root;
    int fault = stat("/", &root) != 0 ? -errno : parent_fault(&root);
    if (fault != 0) return fault;
    int here = AT_FDCWD;
    for (;;) {
        // The first name keeps its slash.
        char name[1 + NAME_MAX + 1] = "/";
        size_t length = strcspn(rest, "/");
        int result = 0;
        if (length > NAME_MAX) result = -ENAMETOOLONG;
        else memcpy(name + 1, rest, length);
        if (strcmp(name + 1, "..") == 0) result = MPIN_UNSAFE_PATH;
        rest += length;
        rest += strspn(rest, "/");
        const int is_last = *rest == '\0';
        if (result == 0)
            result = open_component(
                here, here == AT_FDCWD ? name : name + 1, is_last ? flags : O_PATH, create,
                is_last ? last_fault : parent_fault);
        if (here != AT_FDCWD) close(here);
        if (result < 0 || is_last) return result;
        here = result;
    }
}

int mpin_directory_open(const char *path, int create, int is_private) {
    return walk(path, O_RDONLY, create, is_private ? secret_fault : parent_fault);
}

int mpin_directory_enter(int directory, const char *name, int create) {
    return open_component(directory, name, O_RDONLY, create, private_fault);
}

int mpin_directory_is_removed(int directory) {
    struct stat status;
    return fstat(directory, &status) != 0 || status.st_nlink == 0;
}

static int open_file(int directory, const char *name, unsigned forbidden, size_t limit, struct stat *status) {
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return errno == ELOOP || errno == ENXIO ? MPIN_UNSAFE_KIND : -errno;
    if (fstat(file, status) != 0) return closed_with(file, -errno);
    if (!S_ISREG(status->st_mode)) return closed_with(file, MPIN_UNSAFE_KIND);
    if (!trusted(status->st_uid)) return closed_with(file, MPIN_UNSAFE_OWNER);
    if (status->st_mode & forbidden) return closed_with(file, MPIN_UNSAFE_MODE);
    // A file without any name has been replaced since it was opened, and its content is complete.
    if (status->st_nlink > 1) return closed_with(file, MPIN_UNSAFE_LINKS);
    if ((uint64_t)status->st_size > limit) return closed_with(file, MPIN_UNSAFE_SIZE);
    return file;
}

int mpin_file_open(int directory, const char *name, unsigned forbidden, size_t limit) {
    struct stat status;
    return open_file(directory, name, forbidden, limit, &status);
}

static int open_path(const char *path, unsigned forbidden, size_t limit, struct stat *status) {
    const char *slash = strrchr(path, '/');
    char parent[PATH_MAX];
    if (path[0] != '/' || slash == NULL || slash[1] == '\0') return MPIN_UNSAFE_PATH;
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof parent) return -ENAMETOOLONG;
    memcpy(parent, path, length);
    parent[length] = '\0';
    int directory = walk(parent, O_PATH, 0, parent_fault);
    if (directory < 0) return directory;
    return closed_with(directory, open_file(directory, slash + 1, forbidden, limit, status));
}

int mpin_path_open(const char *path, unsigned forbidden, size_t limit) {
    struct stat status;
    return open_path(path, forbidden, limit, &status);
}

// Reads as many bytes as the file had when it was opened, or fewer if it has been shortened. Files that decide a login
// are replaced, not extended. Closes the file. Returns the number of bytes.
static int read_and_close(int file, uint8_t *bytes, size_t size) {
    size_t count = 0;
    while (count < size) {
        ssize_t got = read(file, bytes + count, size - count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return closed_with(file, -errno);
        if (got == 0) break;
        count += (size_t)got;
    }
    return closed_with(file, (int)count);
}

int mpin_file_load(int directory, const char *name, unsigned forbidden, uint8_t *bytes, size_t capacity) {
    struct stat status;
    int file = open_file(directory, name, forbidden, capacity, &status);
    return file < 0 ? file : read_and_close(file, bytes, (size_t)status.st_size);
}

int mpin_path_load(const char *path, unsigned forbidden, size_t limit, uint8_t **bytes) {
    *bytes = NULL;
    struct stat status;
    int file = open_path(path, forbidden, limit, &status);
    if (file < 0) return file;
    *bytes = malloc((size_t)status.st_size + 1);
    if (*bytes == NULL) return closed_with(file, -ENOMEM);
    int result = read_and_close(file, *bytes, (size_t)status.st_size);
    if (result < 0) mpin_bytes_free(bytes);
    return result;
}

void mpin_bytes_free(uint8_t **bytes) {
    free(*bytes);
    *bytes = NULL;
}

int mpin_bytes_write(int file, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? -errno : -EIO;
        bytes += put;
        count -= (size_t)put;
    }
    return 0;
}

int mpin_file_fill(int file, unsigned mode, const uint8_t *bytes, size_t count) {
    // Beyond RLIMIT_FSIZE a write has to fail: its signal would kill the host before the login is refused and logged.
    struct mpin_signal_hold hold;
    mpin_signal_hold(&hold, SIGXFSZ);
    int result = mpin_bytes_write(file, bytes, count);
    mpin_signal_release(&hold);
    return result == 0 && (fchmod(file, mode) != 0 || fsync(file) != 0) ? -errno : result;
}

int mpin_file_replace(int directory, const char *name, const uint8_t *bytes, size_t count) {
    char temporary[NAME_MAX + 1];
    int length = snprintf(temporary, sizeof temporary, ".%s.new", name);
    if (length < 0 || (size_t)length >= sizeof temporary) return -ENAMETOOLONG;
    // Removes what a killed writer left behind. No other process writes, because the caller holds the lock.
    unlinkat(directory, temporary, 0);
    int file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return -errno;
    int result = mpin_file_fill(file, 0600, bytes, count);
    if (close(file) != 0 && result == 0) result = -errno;
    if (result == 0 && renameat(directory, temporary, directory, name) != 0) result = -errno;
    if (result != 0) {
        unlinkat(directory, temporary, 0);
        return result;
    }
    return fsync(directory) != 0 ? MPIN_UNCONFIRMED : 0;
}

int mpin_path_exchange(const char *path, const char *other) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

int mpin_file_remove(int directory, const char *name) {
    if (unlinkat(directory, name, 0) != 0) return errno == ENOENT ? 0 : -errno;
    return fsync(directory) != 0 ? -errno : 0;
}

int mpin_directory_list(int directory, void *context, void (*each)(void *context, const char *name)) {
    _Alignas(struct dirent64) char entries[2048];
    if (lseek(directory, 0, SEEK_SET) != 0) return -errno;
    for (;;) {
        const ssize_t length = getdents64(directory, entries, sizeof entries);
        if (length <= 0) return length < 0 ? -errno : 0;
        const struct dirent64 *entry;
        for (ssize_t at = 0; at < length; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(const void *)(entries + at);
            if (entry->d_name[0] != '.') each(context, entry->d_name);
        }
    }
}

static void find_used(void *context, const char *name) {
    // A new file system already has this entry.
    if (strcmp(name, "lost+found") != 0) *(int *)context = 1;
}

int mpin_directory_is_used(int directory) {
    int found = 0;
    return mpin_directory_list(directory, &found, find_used) != 0 || found;
}

int mpin_path_is_missing(const char *path) {
    struct stat status;
    return lstat(path, &status) != 0 && errno == ENOENT;
}

void mpin_descriptor_close(int descriptor) {
    close(descriptor);
}
