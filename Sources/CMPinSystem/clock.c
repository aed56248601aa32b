// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clock.h"

#include <errno.h>
#include <time.h>

static const int64_t second = 1000000000;

static struct timespec read_clock(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return now;
}

static struct timespec timespec_of(int64_t nanoseconds) {
    return (struct timespec){.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
}

int64_t mpin_monotonic_ns(void) {
    struct timespec now = read_clock(CLOCK_MONOTONIC);
    return (int64_t)now.tv_sec * second + now.tv_nsec;
}

int64_t mpin_boottime_seconds(void) {
    return read_clock(CLOCK_BOOTTIME).tv_sec;
}

int64_t mpin_wall_seconds(void) {
    return read_clock(CLOCK_REALTIME).tv_sec;
}

int64_t mpin_wall_milliseconds(void) {
    struct timespec now = read_clock(CLOCK_REALTIME);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void mpin_pause_ns(int64_t nanoseconds) {
    struct timespec pause = timespec_of(nanoseconds);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

void mpin_pause_until_ns(int64_t monotonic_ns) {
    struct timespec end = timespec_of(monotonic_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {}
}
