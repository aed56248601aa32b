#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "files.h"

static const int64_t first_pause = 1000000, longest_pause = 20000000;

static int take(int file, int64_t deadline_ns) {
    for (int64_t pause = first_pause;; pause = pause * 2 < longest_pause ? pause * 2 : longest_pause) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
        if (errno != EWOULDBLOCK && errno != EINTR) return -errno;
        int64_t left = deadline_ns - mpin_monotonic_ns();
        if (left <= 0) return -ETIMEDOUT;
        mpin_pause_ns(pause < left ? pause : left);
    }
}

int mpin_lock_take(int directory, const char *name, int create, int64_t deadline_ns) {
    int missing = -ENOENT;
    if (create) {
        int made = openat(directory, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        // A failure matters only if the file does not exist either.
        if (made >= 0) close(made);
        else missing = -errno;
    }
    // Of any size: where there is no lock file, the file of the records is locked.
    int file = mpin_file_open(directory, name, S_IRWXG | S_IRWXO, SIZE_MAX);
    if (file < 0) return file == -ENOENT ? missing : file;
    int result = take(file, deadline_ns);
    if (result != 0) {
        close(file);
        return result;
    }
    return file;
}

void mpin_lock_release(int lock) {
    (void)flock(lock, LOCK_UN);
    close(lock);
}
