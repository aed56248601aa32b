// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "secret.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

void *mpin_secret_map(size_t size) {
    const int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    // A sandboxed host may not be allowed to lock memory; the other protections do not depend on it.
    void *page = mmap(NULL, size, access, flags | MAP_LOCKED, -1, 0);
    if (page == MAP_FAILED) page = mmap(NULL, size, access, flags, -1, 0);
    if (page == MAP_FAILED) return NULL;
    if (madvise(page, size, MADV_DONTDUMP) != 0 || madvise(page, size, MADV_WIPEONFORK) != 0) {
        munmap(page, size);
        return NULL;
    }
    return page;
}

void mpin_secret_unmap(void *page, size_t size) {
    mpin_wipe(page, size);
    munmap(page, size);
}

// A mapping takes up whole pages. The rest of the first one is divided into places for other secrets, whose bits are in
// its last four bytes.
enum { page_size = 4096, place_size = 128, place_count = page_size / place_size - 1 };

static uint32_t *taken_places(void *page) {
    return (uint32_t *)(void *)((char *)page + page_size - sizeof(uint32_t));
}

void *mpin_secret_place(void *page, size_t size, size_t wanted) {
    uint32_t *taken = taken_places(page);
    const size_t first = (size + place_size - 1) / place_size;
    if (wanted > place_size) return NULL;
    for (size_t place = first; place < place_count; place++) {
        const uint32_t bit = (uint32_t)1 << place;
        if (!(__atomic_fetch_or(taken, bit, __ATOMIC_ACQ_REL) & bit)) return (char *)page + place * place_size;
    }
    return NULL;
}

void mpin_secret_leave(void *page, void *place, size_t size) {
    mpin_wipe(place, size);
    const size_t number = (size_t)((char *)place - (char *)page) / place_size;
    __atomic_fetch_and(taken_places(page), ~((uint32_t)1 << number), __ATOMIC_ACQ_REL);
}

int mpin_secret_lock(void *page, size_t size) {
    return mlock(page, size) != 0 ? -errno : 0;
}

int mpin_process_deny_dumps(void) {
    const struct rlimit none = {0, 0};
    // Both are needed: a dump that is piped to a program is not bounded by the limit.
    int limited = setrlimit(RLIMIT_CORE, &none) != 0 ? -errno : 0;
    int closed = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ? -errno : 0;
    return closed != 0 ? closed : limited;
}

void mpin_wipe(void *bytes, size_t count) {
    explicit_bzero(bytes, count);
}

// Clears the registers too: the next function could spill to the stack what a calculation left there.
__attribute__((noinline, zero_call_used_regs("all"))) void mpin_wipe_stack(void) {
    // More stack than any calculation on secrets uses: measured, at most 6 KiB (G2) and 4 KiB (G1).
    char below[32 * 1024];
    explicit_bzero(below, sizeof below);
}
