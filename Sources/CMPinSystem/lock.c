// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "stop.h"

static const int64_t first_pause = 1000000, longest_pause = 20000000;

static int open_lock(int directory, const char *name, int create) {
    int missing = -ENOENT;
    if (create) {
        int made = openat(directory, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        // A failure matters only if the file does not exist either.
        if (made >= 0) close(made);
        else missing = -errno;
    }
    // Of any size: if there is no lock file, the file with the records is locked.
    int file = mpin_file_open(directory, name, S_IRWXG | S_IRWXO, SIZE_MAX);
    return file == -ENOENT ? missing : file;
}

int mpin_lock_take(int directory, const char *name, int create, int64_t deadline_ns, int stop) {
    for (int64_t pause = first_pause;; pause = pause * 2 < longest_pause ? pause * 2 : longest_pause) {
        // Opened for each try: the last holder may have removed the file, which then is no lock for later processes.
        int file = open_lock(directory, name, create);
        if (file < 0) return file;
        struct stat held, named;
        int error = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        if (error == 0 && fstat(file, &held) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && held.st_ino == named.st_ino)
            return file;
        close(file);
        if (error != 0 && error != EWOULDBLOCK && error != EINTR) return -error;
        int64_t left = deadline_ns - mpin_monotonic_ns();
        if (left <= 0 || mpin_is_stopped(stop)) return -ETIMEDOUT;
        mpin_pause_ns(pause < left ? pause : left);
    }
}

void mpin_lock_release(int lock) {
    (void)flock(lock, LOCK_UN);
    close(lock);
}
