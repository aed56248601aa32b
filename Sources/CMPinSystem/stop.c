// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifndef MPIN_MODULE
int mpin_is_stopped(int stop) {
    struct pollfd event = {.fd = stop, .events = POLLIN};
    // A descriptor that was closed here counts as stopped, too.
    return mpin_can_stop(stop) && poll(&event, 1, 0) > 0;
}
#endif

int mpin_stop_open(void) {
    int opened = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (opened > STDERR_FILENO) return opened;
    if (opened < 0) return -errno;
    // A program without standard streams must not mistake it for one.
    int stop = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    close(opened);
    return stop < 0 ? -error : stop;
}

void mpin_stop_signal(int stop) {
    const uint64_t one = 1;
    while (write(stop, &one, sizeof one) < 0 && errno == EINTR) {}
}
