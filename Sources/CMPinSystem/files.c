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

static int failed_with(int descriptor, int result) {
    close(descriptor);
    return result;
}

// Checks a directory on the path. Returns 0, or the reason why it is unsafe.
static int judge_parent(int directory) {
    struct stat status;
    if (fstat(directory, &status) != 0) return -errno;
    if (!S_ISDIR(status.st_mode)) return MPIN_UNSAFE_PATH;
    if (!trusted(status.st_uid)) return MPIN_UNSAFE_PARENT;
    int sticky = status.st_uid == 0 && (status.st_mode & S_ISVTX);
    return (status.st_mode & others_write) && !sticky ? MPIN_UNSAFE_PARENT : 0;
}

// Checks a directory with secrets. Returns 0, or the reason why it is unsafe.
static int judge_private(int directory) {
    struct stat status;
    if (fstat(directory, &status) != 0) return -errno;
    if (!trusted(status.st_uid)) return MPIN_UNSAFE_OWNER;
    return status.st_mode & others_any ? MPIN_UNSAFE_MODE : 0;
}

static int open_component(int directory, const char *name, int create) {
    // Only for searching, not reading: a directory on the path may be unreadable.
    int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int next = openat(directory, name, flags);
    if (next < 0 && errno == ENOENT && create) {
        if (mkdirat(directory, name, 0700) != 0 && errno != EEXIST) return -errno;
        next = openat(directory, name, flags);
    }
    if (next < 0) return errno == ELOOP || errno == ENOTDIR ? MPIN_UNSAFE_PATH : -errno;
    return next;
}

// Reopens a directory found with O_PATH, so that it can be listed, locked and synced.
static int reopen_for_reading(int directory) {
    int readable = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = readable < 0 ? -errno : readable;
    close(directory);
    return result;
}

int mpin_directory_open(const char *path, int create, int is_private) {
    if (path[0] != '/' || strlen(path) >= PATH_MAX) return MPIN_UNSAFE_PATH;
    int here = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (here < 0) return -errno;
    const char *rest = path;
    for (;;) {
        int fault = judge_parent(here);
        if (fault != 0) return failed_with(here, fault);
        while (*rest == '/') rest++;
        if (*rest == '\0') break;
        size_t length = strcspn(rest, "/");
        char name[NAME_MAX + 1];
        if (length > NAME_MAX) return failed_with(here, -ENAMETOOLONG);
        memcpy(name, rest, length);
        name[length] = '\0';
        if (strcmp(name, "..") == 0) return failed_with(here, MPIN_UNSAFE_PATH);
        int next = open_component(here, name, create);
        close(here);
        if (next < 0) return next;
        here = next;
        rest += length;
    }
    if (is_private) {
        int fault = judge_private(here);
        if (fault != 0) return failed_with(here, fault);
    }
    return reopen_for_reading(here);
}

int mpin_directory_enter(int directory, const char *name, int create) {
    int inner = open_component(directory, name, create);
    if (inner < 0) return inner;
    int fault = judge_private(inner);
    return fault != 0 ? failed_with(inner, fault) : reopen_for_reading(inner);
}

int mpin_file_open(int directory, const char *name, unsigned forbidden, size_t limit) {
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return errno == ELOOP || errno == ENXIO ? MPIN_UNSAFE_KIND : -errno;
    struct stat status;
    if (fstat(file, &status) != 0) return failed_with(file, -errno);
    if (!S_ISREG(status.st_mode)) return failed_with(file, MPIN_UNSAFE_KIND);
    if (!trusted(status.st_uid)) return failed_with(file, MPIN_UNSAFE_OWNER);
    if (status.st_mode & forbidden) return failed_with(file, MPIN_UNSAFE_MODE);
    // A file without any name has been replaced since it was opened, and its content is complete.
    if (status.st_nlink > 1) return failed_with(file, MPIN_UNSAFE_LINKS);
    if ((uint64_t)status.st_size > limit) return failed_with(file, MPIN_UNSAFE_SIZE);
    return file;
}

int mpin_path_open(const char *path, unsigned forbidden, size_t limit) {
    const char *slash = strrchr(path, '/');
    char parent[PATH_MAX];
    if (path[0] != '/' || slash == NULL || slash[1] == '\0') return MPIN_UNSAFE_PATH;
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof parent) return -ENAMETOOLONG;
    memcpy(parent, path, length);
    parent[length] = '\0';
    int directory = mpin_directory_open(parent, 0, 0);
    if (directory < 0) return directory;
    int file = mpin_file_open(directory, slash + 1, forbidden, limit);
    close(directory);
    return file;
}

int mpin_file_read(int file, uint8_t *bytes, size_t capacity) {
    size_t count = 0;
    for (;;) {
        // Requests one byte more than the capacity, to distinguish a full buffer from a longer file.
        uint8_t excess;
        ssize_t got = count < capacity ? read(file, bytes + count, capacity - count) : read(file, &excess, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -errno;
        if (got == 0) return (int)count;
        if (count == capacity) return MPIN_UNSAFE_SIZE;
        count += (size_t)got;
    }
}

int mpin_path_load(const char *path, unsigned forbidden, size_t limit, uint8_t **bytes) {
    *bytes = NULL;
    int file = mpin_path_open(path, forbidden, limit);
    if (file < 0) return file;
    struct stat status;
    int result = fstat(file, &status) != 0 ? -errno : 0;
    if (result == 0) {
        *bytes = malloc((size_t)status.st_size + 1);
        result = *bytes == NULL ? -ENOMEM : mpin_file_read(file, *bytes, (size_t)status.st_size);
    }
    if (result < 0) mpin_bytes_free(bytes);
    return failed_with(file, result);
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

int mpin_file_remove(int directory, const char *name) {
    if (unlinkat(directory, name, 0) != 0) return errno == ENOENT ? 0 : -errno;
    return fsync(directory) != 0 ? -errno : 0;
}

int mpin_directory_list(int directory, void *context, void (*each)(void *context, const char *name)) {
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy < 0) return -errno;
    DIR *entries = fdopendir(copy);
    if (entries == NULL) return failed_with(copy, -errno);
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(entries);
        if (entry == NULL) break;
        if (entry->d_name[0] != '.') each(context, entry->d_name);
    }
    int result = -errno;
    closedir(entries);
    return result;
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
    int file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return errno == ENOENT;
    close(file);
    return 0;
}

void mpin_descriptor_close(int descriptor) {
    close(descriptor);
}
