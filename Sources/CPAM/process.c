#define _GNU_SOURCE
#include "CPAM.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "CMPinSystem.h"

static const int64_t nanoseconds_per_millisecond = 1000000;

// Below the allocator's mmap threshold, so that the memory stays in the heap when it is freed.
enum { enough = 120 * 1024 };

// Grows the stack by what a call uses: when the address space is exhausted, the kernel kills a process whose stack has
// to grow later.
static __attribute__((noinline)) void grow_stack(void) {
    enum { page = 4096 };
    volatile char below[enough];
    for (size_t position = 0; position < sizeof below; position += page) below[position] = 0;
}

int mpin_pam_has_memory(void) {
    void *stack = mmap(NULL, 2 * enough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return 0;
    munmap(stack, 2 * enough);
    grow_stack();
    void *volatile memory = malloc(enough);
    int has_memory = memory != NULL;
    free(memory);
    return has_memory;
}

uint32_t mpin_pam_random(void) {
    uint32_t number = 0;
    return getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number ? number : 0;
}

int64_t mpin_pam_milliseconds(void) {
    return mpin_monotonic_ns() / nanoseconds_per_millisecond;
}

void mpin_pam_wait_until(int64_t milliseconds) {
    mpin_pause_until_ns(milliseconds * nanoseconds_per_millisecond);
}
