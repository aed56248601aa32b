// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPAM.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>

// Below the allocator's mmap threshold, so that the memory stays in the heap when it is freed.
enum { enough = 120 * 1024 };

// The stack that a call needs: at most 37 KiB were measured, over TLS. The rest is for a guard page and for other
// versions of the libraries.
enum { stack_enough = 48 * 1024 };

// Whether the stack has room for a call. The main thread's stack ends at a limit that counts from its top, near which
// the kernel stores the program's name. Threads have their own stacks, whose bounds the C library knows. A stack that
// the program has allocated itself counts as large enough, because its bounds are unknown.
static int has_stack(void) {
    // The main thread's stack never extends further from the top than this.
    enum { longest_main = 128 << 20 };
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t top = getauxval(AT_EXECFN);
    if (here < top && top - here < longest_main) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_STACK, &limit) != 0) return 0;
        return limit.rlim_cur >= top - here + stack_enough;
    }
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    void *bottom = NULL;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    const uintptr_t room = here - (uintptr_t)bottom;
    return room >= size || room >= stack_enough;
}

int mpin_pam_has_memory(void) {
    if (!has_stack()) return 0;
    void *space = mmap(NULL, 2 * enough, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED) return 0;
    munmap(space, 2 * enough);
    void *volatile memory = malloc(enough);
    int has_memory = memory != NULL;
    free(memory);
    return has_memory;
}

uint32_t mpin_pam_random(void) {
    uint32_t number = 0;
    return getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number ? number : 0;
}
