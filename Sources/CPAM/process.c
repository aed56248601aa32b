#define _GNU_SOURCE
#include "CPAM.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

// Below what the allocator maps apart, so that it stays with the heap when it is freed.
enum { enough = 120 * 1024 };

// Grows the stack to what a call takes: where the address space is used up, the kernel ends a process that needs more
// of it later.
static __attribute__((noinline)) void grow_stack(void) {
    enum { page = 4096 };
    volatile char below[enough];
    for (size_t position = 0; position < sizeof below; position += page) below[position] = 0;
}

int cpam_has_memory(void) {
    void *stack = mmap(NULL, 2 * enough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return 0;
    munmap(stack, 2 * enough);
    grow_stack();
    void *volatile memory = malloc(enough);
    int has_memory = memory != NULL;
    free(memory);
    return has_memory;
}

uint32_t cpam_random(void) {
    uint32_t number = 0;
    return getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number ? number : 0;
}

int64_t cpam_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cpam_wait_until(int64_t milliseconds) {
    struct timespec moment = {
        .tv_sec = (time_t)(milliseconds / 1000), .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == EINTR) {}
}
