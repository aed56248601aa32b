// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sysexits.h>
#include <unistd.h>

void mpin_standard_descriptors(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
        // In the wrong direction, so that its use fails; also for the programs that this one starts.
        int file = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (file != number) _exit(EX_IOERR);
    }
}

int mpin_spawn_keep_standard(void *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}
