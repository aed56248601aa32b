#define _GNU_SOURCE
#include "clock.h"

#include <time.h>

static const int64_t second = 1000000000;

int64_t mpin_monotonic_ns(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * second + now.tv_nsec;
}

int64_t mpin_wall_seconds(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec;
}

void mpin_pause_ns(int64_t nanoseconds) {
    struct timespec pause = {.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}
