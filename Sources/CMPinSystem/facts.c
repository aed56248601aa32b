// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

int mpin_path_look(const char *path, struct mpin_path_facts *facts) {
    struct stat found;
    if (lstat(path, &found) != 0) return -errno;
    *facts = (struct mpin_path_facts){
        .mode = found.st_mode & 07777,
        .links = (int64_t)found.st_nlink,
        .size = found.st_size,
        .is_file = S_ISREG(found.st_mode),
        .is_directory = S_ISDIR(found.st_mode),
        .is_trusted = found.st_uid == 0 || found.st_uid == geteuid(),
        .is_sticky_of_root = S_ISDIR(found.st_mode) && found.st_uid == 0 && (found.st_mode & S_ISVTX) != 0,
    };
    return 0;
}
